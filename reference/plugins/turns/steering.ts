// What is asked between two turns: may the run start, was it asked to stop, does anybody have something to say. Plugs into `boundary`.

import type { BoundaryVerdict, Ports, State } from "../../core/ports.ts";
import { count } from "../../state/counters.ts";
import { checkSession } from "../../state/check-session.ts";
import type { LoopError, Message } from "../../../schemas/types.ts";

/** What one check says. `limit`: the option whose limit was reached. */
export type Verdict = BoundaryVerdict & { limit?: string };

/** One check between two turns. Where `state.ending` is set, the run is about to end. */
export type Boundary = (state: State) => Verdict | Promise<Verdict>;

/** What a run does not have is undefined, and is not asked. */
type Boundaries = (Boundary | undefined)[];

/**
 * A run goes on unless one of `checks` ends it, with what `openers` have to say or to replace before the next turn. A run that
 * would end keeps going if one of these, or of `keepers`, has something to say, unless a check would end it anyway; then one of
 * `closers` may still say that it ends otherwise.
 * @see EVENT-15
 */
export function boundaryOf(
  checks: Boundaries,
  openers: Boundaries,
  keepers: Boundaries,
  closers: Boundaries,
  emit: Ports["emit"],
): Ports["boundary"] {
  const check = firstOf(checks);
  const open = firstOf(openers);
  const keep = firstOf([...openers, ...keepers]);
  const close = firstOf(closers);
  return async (state) => {
    const verdict = await check(state);
    if (verdict.do !== "end") return state.ending ? keep(state) : open(state);
    if (state.ending) return close(state);
    const { limit, ending } = verdict;
    if (limit !== undefined) emit({ type: "limit", turn: state.turn, limit, status: ending.status });
    return verdict;
  };
}

/** Asks one boundary after another until one does not say `continue`. */
function firstOf(given: Boundaries): Boundary {
  const boundaries = given.filter((boundary) => boundary !== undefined);
  return async (state) => {
    for (const boundary of boundaries) {
      const said = boundary(state);
      const verdict = said instanceof Promise ? await said : said;
      if (verdict.do !== "continue") return verdict;
    }
    return { do: "continue" };
  };
}

/** A message of the loop to the model. @see LOOP-44 LOOP-46 LOOP-61 LOOP-64 */
export function say(content: string): Verdict {
  return { do: "append", messages: [{ role: "user", content, synthetic: true }] };
}

/** Says what was said to the run since the last turn; a run that ends otherwise than completed is not kept from it. @see LOOP-16 LOOP-53 LOOP-54 */
export function steeringBy(said: Message[]): Boundary {
  return ({ ending }) => {
    const isHeard = !ending || ending.status === "completed";
    return isHeard && said.length > 0 ? { do: "append", messages: said.splice(0) } : { do: "continue" };
  };
}

/** Asks the model that the run was told to switch to, also the one that it had fallen back from. @see LOOP-66 EVENT-17 */
export function modelSwitch(takeWanted: () => string | undefined, emit: Ports["emit"]): Boundary {
  return (state) => {
    const model = state.ending ? undefined : takeWanted();
    if (model === undefined) return { do: "continue" };
    count(state, "fallbacks", 0);
    emit({ type: "switch_model", turn: state.turn, model });
    return { do: "replace", by: { model } };
  };
}

/** A run that cannot be ends before it begins. @see LOOP-38 LOOP-39 LOOP-58 LOOP-72 */
export function refusal(error: LoopError | undefined): Boundary | undefined {
  return error && (() => ({ do: "end", ending: { status: "error", error } }));
}

/** A run does not start on a session that a provider would refuse. @see SESSION-15 SESSION-16 */
export function startCheck(state: State): Verdict {
  if (state.turn > 0) return { do: "continue" };
  const [problem] = checkSession(state.session, { toStart: true });
  if (!problem) return { do: "continue" };
  const message = `${problem.message} (${problem.pointer}). Repair the session, or append what is missing, and run again.`;
  return { do: "end", ending: { status: "error", error: { kind: "invalid_session", message } } };
}

/** @see LOOP-29 */
export function stopCheck(requested: () => boolean): Boundary {
  return () =>
    requested() ? { do: "end", ending: { status: "stopped", stop_condition: "requested" } } : { do: "continue" };
}
