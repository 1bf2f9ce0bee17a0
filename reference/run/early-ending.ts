// Ends a run from inside one of its points: nothing more is executed, and no check or limit is consulted.

import type { CallDecision, Ending } from "../../schemas/types.ts";
import type { ExecutableCall, Ports, State } from "../core/ports.ts";
import { lastCalls } from "../core/session.ts";
import type { EarlyEnding, Settle } from "../plugins/plugin.ts";
import { denied } from "../state/tool-results.ts";

/** The early ending at the points of the core. */
export interface EarlyEndingPoints extends EarlyEnding {
  /** Denies every call from then on. @see HOOK-12 */
  guard(decide: Ports["decide"]): Ports["decide"];
  settle: Settle;
  /** Takes precedence over every other ending, and over every reason to continue. */
  before(boundary: Ports["boundary"]): Ports["boundary"];
}

/** @param ending the early ending from an earlier process, if any */
export function earlyEnding(ending?: Ending): EarlyEndingPoints {
  return {
    end: (one) => void (ending ??= one),
    ending: () => ending,
    guard: (decide) => async (call, state) => {
      const decision = ending ? undefined : await decide(call, state);
      return ending ? closed(call, ending, state) : decision!;
    },
    settle: () => (ending ? { ending } : {}),
    before: (boundary) => async (state) => (ending ? { do: "end", ending } : boundary(state)),
  };
}

/** A call of a response that is in no later request has a result that is in none. @see GUARDRAIL-13 */
function closed(call: ExecutableCall, { reason = "the run ends" }: Ending, state: State): CallDecision {
  const { do: answer, result } = denied(call, reason);
  const status = lastCalls(state).find(({ id }) => id === call.id)?.status;
  return { do: answer, result: { ...result, ...(status && { status }) } };
}
