// Whether a run may start, and whether a stop was requested.

import type { State } from "../../core/ports.ts";
import { checkSession } from "../../state/check-session.ts";
import type { LoopError } from "../../../schemas/types.ts";
import type { Plugin, Boundary } from "../plugin.ts";

/** Refuses a run whose source cannot be used. */
export const runSource: Plugin = { name: "run-source", attach: ({ refused }) => refused && { refuses: refused } };

export const validSession: Plugin = { name: "valid-session", attach: () => ({ prepare: startCheck }) };

export const stopRequest: Plugin = {
  name: "stop-request",
  attach: ({ inbox }) => ({ betweenTurns: { check: stopCheck(inbox.isStopping) } }),
};

/** A run does not start on a session that a provider would reject. @see SESSION-15 SESSION-16 SESSION-32 */
async function startCheck(state: State): Promise<LoopError | undefined> {
  if (state.turn > 0) return undefined;
  const [problem] = checkSession(state.session, { toStart: true });
  if (!problem) return undefined;
  const message = `${problem.message} (${problem.pointer}). Repair the session, or append what is missing, and run again.`;
  return { kind: "invalid_session", message };
}

/** @see LOOP-29 */
function stopCheck(requested: () => boolean): Boundary {
  return () =>
    requested() ? { do: "end", ending: { status: "stopped", stop_condition: "requested" } } : { do: "continue" };
}
