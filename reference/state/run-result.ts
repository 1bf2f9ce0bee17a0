// Computes the result of a run from its last state; nothing is counted twice.

import type { State } from "../core/ports.ts";
import { isText, isType, lastResponse } from "../core/session.ts";
import { UNKNOWN } from "../core/usage.ts";
import { sumOf } from "../support/money.ts";
import type { PendingCall, RunResult, Step, SubagentReport, Usage } from "../../schemas/types.ts";
import { asksOf, costsOf } from "./costs.ts";
import { finalText, outputOf } from "./output.ts";

/**
 * @param running the calls whose tools were signalled to stop and have not ended
 * @param pending the calls that wait for the caller, if the run is suspended
 * @see RESULT-1 RESULT-2 RESULT-4 RESULT-5
 */
export function resultOf(
  state: State,
  running: { id: string; name: string }[] = [],
  pending?: PendingCall[],
): RunResult {
  const { steps, agent, turn, context, options, compactions = [] } = state;
  const last = steps.at(-1);
  const response = state.session.messages.length > state.response_start ? lastResponse(state) : [];
  const completed = state.ending?.status === "completed";
  const final_text = response.length > 0 && !isKeptBack(state) ? finalText(state) : "";
  const empty = completed && !response.some((message) => isText(message) || isType(message, "tool_call"));
  return {
    ...(state.ending ?? { status: "error" }),
    turns: turn,
    tool_calls: steps.reduce((sum, { tool_calls }) => sum + tool_calls, 0),
    agent,
    session_id: state.session.id,
    final_text,
    ...(empty && { empty }),
    stop_reason: last?.stop_reason ?? null,
    raw_stop_reason: last?.raw_stop_reason ?? null,
    usage: [...billed(state), ...subagentsOf(state)].reduce((sum, { usage }) => addUsage(sum, usage), UNKNOWN),
    usage_by_model: usageByModel(state),
    ...(options.prices && { cost: sumOf(costsOfRun(state)), cost_by_model: costByModel(state) }),
    steps,
    ...(compactions.length > 0 && { compactions }),
    ...(context && { context }),
    ...(completed && options.output_format && { output: outputOf(state) }),
    ...(pending && { pending }),
    ...(running.length > 0 && { still_running: running }),
  };
}

/** Whether a guardrail or a hook refused what the model said last. @see GUARDRAIL-12 HOOK-33 */
function isKeptBack({ ending }: State): boolean {
  const point = ending?.guardrail?.point;
  return point === "model_output" || point === "final_output" || ending?.stop_condition === "blocked";
}

/** @see RESULT-12 RESULT-18 */
function costsOfRun(state: State): (string | null)[] {
  return asksOf(state).flatMap((ask) => (isUnheard(ask, state) ? costsOf(ask).slice(1) : costsOf(ask)));
}

/** Whether the end of the run cut off the call before its cost was known. @see RESULT-18 */
function isUnheard({ cost = null, ...ask }: Partial<Step>, { ending }: State): boolean {
  const isCut = ending?.status === "cancelled" || ending?.status === "deadline";
  return isCut && cost === null && ask.stop_reason === "interrupted";
}

/** The sum: an unknown number counts as absent, and the sum is unknown only if both are. @see RESULT-4 */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    ...a,
    input_tokens: plus(a.input_tokens, b.input_tokens),
    output_tokens: plus(a.output_tokens, b.output_tokens),
    cache_read_tokens: plus(a.cache_read_tokens, b.cache_read_tokens),
    cache_write_tokens: plus(a.cache_write_tokens, b.cache_write_tokens),
    reasoning_tokens: plus(a.reasoning_tokens, b.reasoning_tokens),
  };
}

function plus(one: number | null, other: number | null): number | null {
  return one === null ? other : one + (other ?? 0);
}

/** Everything that was billed: each response and each summary, and the attempts that failed before it. @see RESULT-4 COMPACT-17 */
function billed(state: State): Pick<Step, "model" | "usage" | "cost">[] {
  return asksOf(state).flatMap((ask) => {
    const attempts = (ask.attempts ?? []).flatMap(({ usage, ...attempt }) => (usage ? { ...attempt, usage } : []));
    return [ask, ...attempts];
  });
}

/** The subagents of the run, each including its own subagents. @see SUBAGENT-10 */
function subagentsOf({ steps }: State): SubagentReport[] {
  return steps.flatMap(({ subagents = [] }) => subagents);
}

/** The same, for each model that a subagent called. */
function billedByModel(state: State): Pick<Step, "model" | "usage" | "cost">[] {
  return subagentsOf(state).flatMap(({ usage_by_model, cost_by_model = {} }) =>
    Object.entries(usage_by_model).map(([model, usage]) => ({ model, usage, cost: cost_by_model[model] ?? null })),
  );
}

/** What each model answered, with what it took. @see RESULT-27 */
function byModel(state: State): (Pick<Step, "usage" | "cost"> & { model: string })[] {
  const silent = hasAnswered(state) ? undefined : state.steps.at(-1);
  return [...billed(state).filter((ask) => ask !== silent), ...billedByModel(state)].flatMap(({ model, ...ask }) =>
    model ? [{ ...ask, model }] : [],
  );
}

/** Whether the model said anything in the last turn, or its provider counted tokens. A call that failed has no turn after it. */
function hasAnswered({ steps, session, response_start }: State): boolean {
  const last = steps.at(-1);
  if (!last || session.messages.length > response_start) return true;
  const hasEnded = last.stop_reason !== "error" && last.stop_reason !== "interrupted";
  return hasEnded || Object.values(last.usage).some((tokens) => tokens !== null);
}

function usageByModel(state: State): Record<string, Usage> {
  const sums: Record<string, Usage> = {};
  for (const { model, usage } of byModel(state)) sums[model] = addUsage(sums[model] ?? UNKNOWN, usage);
  return sums;
}

/** @see RESULT-11 */
function costByModel(state: State): Record<string, string | null> {
  const sums: Record<string, string | null> = {};
  for (const { model, cost = null, ...ask } of byModel(state)) {
    if (!isUnheard({ cost, ...ask }, state))
      sums[model] = sumOf([Object.hasOwn(sums, model) ? sums[model]! : "0", cost]);
  }
  return sums;
}
