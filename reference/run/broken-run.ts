// What is left of a run that broke where nothing may throw: the state of its last step, with no call left open.

import type { EventBody, State } from "../core/ports.ts";
import { lastCalls, resultText, syntheticResult } from "../core/session.ts";
import type { ToolCallMessage, ToolResultMessage } from "../../schemas/types.ts";

/**
 * The state in which a run is given back that broke after its last step. Nobody can resume it, so the calls that waited are
 * answered: with their results, where they were executed before the suspension.
 * @see LOOP-27 SESSION-6 SESSION-25
 */
export function closedState(state: State, emit: (event: EventBody) => void): State {
  if (state.phase !== "suspended") return state;
  const { turn } = state;
  const results = lastCalls(state).map((call, i) => ({ ...resultIn(state, call, i), meta: { turn } }));
  emit({ type: "turn_start", turn, resumed: true });
  for (const message of results) emit({ type: "message", turn, message });
  emit({ type: "turn_end", turn });
  const { session, steps } = state;
  const outcomes = results.map(({ outcome = "ok" }) => outcome);
  return {
    ...state,
    session: { ...session, messages: [...session.messages, ...results] },
    steps: steps.map((step, i) => (i === steps.length - 1 ? { ...step, outcomes } : step)),
  };
}

function resultIn({ unfinished, decisions }: State, call: ToolCallMessage, index: number): ToolResultMessage {
  const { executed, snapshot } = unfinished?.[call.id] ?? {};
  const decision = decisions[index];
  if (executed) return executed.result;
  if (decision?.do === "answer") return decision.result;
  return syntheticResult(call, "interrupted", resultText(snapshot ? "broke_while_running" : "broke_before"));
}
