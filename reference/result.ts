// What a run came to: the result is computed from the last state, nothing is counted twice.

import type { State } from "./core/ports.ts";
import { isText, isType, lastCalls, lastResponse } from "./core/session.ts";
import { UNKNOWN } from "./core/usage.ts";
import type { RunResult, Usage } from "./types.ts";

/**
 * @param running the calls whose tools were signalled and have not ended
 * @see RESULT-1 RESULT-2 RESULT-4 RESULT-5
 */
export function resultOf(state: State, running: { id: string; name: string }[] = []): RunResult {
  const { steps, agent, turn } = state;
  const last = steps.at(-1);
  const said = state.session.messages.length > state.response_start ? lastResponse(state) : [];
  const completed = state.ending?.status === "completed";
  const empty = completed && !said.some((message) => isText(message) || isType(message, "tool_call"));
  return {
    ...(state.ending ?? { status: "error" }),
    turns: turn,
    tool_calls: steps.reduce((sum, { tool_calls }) => sum + tool_calls, 0),
    agent,
    final_text: said.map((message) => (isText(message) ? message.content : "")).join(""),
    ...(empty && { empty }),
    stop_reason: last?.stop_reason ?? null,
    raw_stop_reason: last?.raw_stop_reason ?? null,
    usage: steps.reduce((sum, { usage }) => addUsage(sum, usage), UNKNOWN),
    usage_by_model: usageByModel(steps),
    steps,
    ...(state.phase === "suspended" && { pending: pendingCalls(state) }),
    ...(running.length > 0 && { still_running: running }),
  };
}

/** The sum: an unknown number counts as absent, and the sum is unknown only if both are. @see RESULT-4 */
export function addUsage(a: Usage, b: Usage): Usage {
  const sum = { ...a };
  for (const key of Object.keys(UNKNOWN) as (keyof Usage)[]) {
    const [one, other] = [a[key], b[key]];
    sum[key] = one === null ? other : one + (other ?? 0);
  }
  return sum;
}

function usageByModel(steps: State["steps"]): Record<string, Usage> {
  const sums: Record<string, Usage> = {};
  for (const { model, usage } of steps) if (model) sums[model] = addUsage(sums[model] ?? UNKNOWN, usage);
  return sums;
}

/** The calls that wait for the caller, in call order. @see LOOP-35 */
function pendingCalls(state: State): NonNullable<RunResult["pending"]> {
  return lastCalls(state)
    .filter((_, i) => state.decisions[i]?.do === "ask")
    .map(({ id, name, input }) => ({ id, name, input: input ?? {} }));
}
