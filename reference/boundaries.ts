// What is checked between two turns: may the run start, was it asked to stop, is a limit reached. Plugs into `boundary`.

import type { BoundaryVerdict, Ports, State } from "./core/ports.ts";
import { checkSession } from "./session-rules.ts";

type Boundary = (state: State) => BoundaryVerdict;

/** Asks one boundary after another until one does not say `continue`. */
export function firstOf(...boundaries: Boundary[]): Ports["boundary"] {
  return async (state) => {
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

/** @see LOOP-23 LOOP-26 */
export function turnLimit(max: number | null = 20): Boundary {
  return ({ turn }) =>
    max !== null && turn >= max ? { do: "end", ending: { status: "max_turns" } } : { do: "continue" };
}
