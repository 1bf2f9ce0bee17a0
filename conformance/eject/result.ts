// What a run came to: computed from the last state, so that nothing is counted twice.

import type { State } from "../../reference/core/ports.ts";
import { isText, isType, lastCalls, lastResponse } from "../../reference/core/session.ts";
import { UNKNOWN } from "../../reference/core/usage.ts";
import type { PendingCall, RunResult, Usage } from "../../schemas/types.ts";

/** @see RESULT-1 RESULT-2 RESULT-4 RESULT-5 RESULT-23 RESULT-27 */
export function resultOf(state: State): RunResult {
  const { steps, ending = { status: "error" } } = state;
  const last = steps.at(-1);
  const said = last ? lastResponse(state) : [];
  const isEmpty = !said.some((message) => isText(message) || isType(message, "tool_call"));
  const usage_by_model: Record<string, Usage> = {};
  for (const { model, usage } of hasAnswered(state) ? steps : steps.slice(0, -1))
    if (model) usage_by_model[model] = sum(usage_by_model[model] ?? UNKNOWN, usage);
  return {
    ...ending,
    turns: state.turn,
    tool_calls: steps.reduce((calls, step) => calls + step.tool_calls, 0),
    agent: state.agent,
    session_id: state.session.id,
    final_text: said.map((message) => (isText(message) ? message.content : "")).join(""),
    ...(ending.status === "completed" && isEmpty && { empty: true }),
    ...(ending.status === "error" && state.turn === 0 && { refused: true }),
    stop_reason: last?.stop_reason ?? null,
    raw_stop_reason: last?.raw_stop_reason ?? null,
    usage: steps.reduce((all, step) => sum(all, step.usage), UNKNOWN),
    usage_by_model,
    steps,
    ...(state.phase === "suspended" && { pending: pendingOf(state) }),
  };
}

/** Whether the last call of the model, which may have failed, brought anything: a message, or a number of tokens. */
function hasAnswered(state: State): boolean {
  const { stop_reason = null, usage = UNKNOWN } = state.steps.at(-1) ?? {};
  const hasFailed = stop_reason === "error" || stop_reason === "interrupted";
  return !hasFailed || lastResponse(state).length > 0 || Object.values(usage).some((tokens) => tokens !== null);
}

/** The calls that the loop leaves to its caller. @see LOOP-33 */
function pendingOf(state: State): PendingCall[] {
  const calls = lastCalls(state);
  return state.decisions.flatMap((decision, i) => {
    if (decision.do !== "ask") return [];
    const { id, name, input } = calls[i]!;
    return { id, name, input: decision.input ?? input ?? {} };
  });
}

/** An unknown number counts as absent, and a sum is unknown only if both numbers are. @see RESULT-4 */
function sum(a: Usage, b: Usage): Usage {
  const keys = Object.keys(UNKNOWN) as (keyof Usage)[];
  const sums = keys.map((key) => [key, a[key] === null ? b[key] : a[key] + (b[key] ?? 0)]);
  return Object.fromEntries(sums) as Usage;
}
