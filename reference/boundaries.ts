// What is checked between two turns: may the run start, was it asked to stop, is a limit reached. Plugs into `boundary`.

import type { BoundaryVerdict, Ports, State } from "./core/ports.ts";
import { checkSession } from "./session-rules.ts";
import type { Message } from "./types.ts";

/** One check between two turns. Where `state.ending` is set, the run is about to end. */
export type Boundary = (state: State) => BoundaryVerdict;

/**
 * A run goes on unless one of `checks` ends it, with what `steering` has to say. A run that would end keeps going if that, or
 * one of `keepers`, has something to say, unless a check would end it anyway.
 */
export function boundaryOf(checks: Boundary[], steering: Boundary, keepers: Boundary[]): Ports["boundary"] {
  const check = firstOf(checks);
  const keep = firstOf([steering, ...keepers]);
  return async (state) => {
    const verdict = check(state);
    if (verdict.do === "end") return state.ending ? { do: "continue" } : verdict;
    return state.ending ? keep(state) : steering(state);
  };
}

/** Says what was said to the run since the last turn. @see LOOP-53 LOOP-54 */
export function steeringBy(said: Message[]): Boundary {
  return () => (said.length > 0 ? { do: "append", messages: said.splice(0) } : { do: "continue" });
}

/** Asks one boundary after another until one does not say `continue`. */
function firstOf(boundaries: Boundary[]): Boundary {
  return (state) => {
    for (const boundary of boundaries) {
      const verdict = boundary(state);
      if (verdict.do !== "continue") return verdict;
    }
    return { do: "continue" };
  };
}

/** A run that its caller set up wrongly ends before it begins. @see LOOP-38 */
export function configurationCheck(problem: string | undefined): Boundary {
  if (problem === undefined) return () => ({ do: "continue" });
  return () => ({ do: "end", ending: { status: "error", error: { kind: "configuration", message: problem } } });
}

/** A run does not start on a session that a provider would refuse. @see SESSION-15 SESSION-16 */
export function startCheck(state: State): BoundaryVerdict {
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
