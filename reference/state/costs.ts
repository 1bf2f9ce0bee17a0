// The tokens and the cost of all model calls of a run so far.

import type { ModelResponse, PriceTable, Step, SubagentReport, Usage } from "../../schemas/types.ts";
import type { State } from "../core/ports.ts";
import { UNKNOWN } from "../core/usage.ts";
import { sumOf, leftOf, costOf } from "../support/money.ts";

/** Every model call: for a response, or for a summary. @see RESULT-4 COMPACT-17 */
export function asksOf(state: State): ModelAsk[] {
  return [...state.steps, ...summariesOf(state)];
}

/** The compactions that called a model. One that only failed took nothing itself; its attempts may have. */
export function summariesOf({ compactions = [] }: State): ModelAsk[] {
  return compactions.flatMap(({ usage, ...rest }) => {
    if (usage) return [{ ...rest, usage }];
    return rest.attempts ? [{ ...rest, usage: NONE, cost: "0" }] : [];
  });
}

const NONE: Usage = { ...UNKNOWN, input_tokens: 0, output_tokens: 0 };

/** Whether a model call failed before anything was said, and nothing of it was counted. @see LOOP-138 RESULT-25 */
export function tookNothing({ error, messages, usage = UNKNOWN }: ModelResponse): boolean {
  return error !== undefined && messages.length === 0 && Object.values(usage).every((tokens) => tokens === null);
}

/** The usage and cost of a model call. */
export type ModelAsk = Pick<Step, "model" | "usage" | "cost" | "attempts" | "subagents">;

/** The costs of a response, of its failed attempts, and of its subagents. @see SUBAGENT-10 */
export function costsOf({ cost = null, attempts = [], subagents = [] }: ModelAsk): (string | null)[] {
  return [
    cost,
    ...attempts.flatMap((attempt) => (attempt.cost === undefined ? [] : [attempt.cost])),
    ...subagents.flatMap((subagent) => (subagent.cost === undefined ? [] : [subagent.cost])),
  ];
}

/** The rest of the budget. Nothing, if the cost is unknown: the run ends for that reason. @see SUBAGENT-11 */
export function budgetLeft(run: State, budget: string): string {
  const spent = sumOf(asksOf(run).flatMap(costsOf));
  return spent === null ? "0" : leftOf(budget, spent);
}

/** Prices a model by the first name with a price: that of the response, then that of the request. */
export function priced(
  { models }: PriceTable,
  names: (string | undefined)[],
  usage: Step["usage"] = UNKNOWN,
): string | null {
  const known = names.find((name) => name !== undefined && Object.hasOwn(models, name));
  return known === undefined ? null : costOf(usage, models[known]!);
}

/** What a model call cost. @see RESULT-25 */
export function pricedAnswer(prices: PriceTable, names: (string | undefined)[], answer: ModelResponse): string | null {
  return tookNothing(answer) ? "0" : priced(prices, names, answer.usage);
}

/** A number that grows with a run. */
export type Measure = (state: State) => number;

/** The sum over the steps so far, updated with the new steps only. */
export function summing(valueOf: (step: Step) => number): Measure {
  let seen = 0;
  let sum = 0;
  return ({ steps }) => {
    for (; seen < steps.length; seen += 1) sum += valueOf(steps[seen]!);
    return sum;
  };
}

export function tokensOfRun(): Measure {
  return summingAll(tokensOf);
}

/** The sum over the steps and the summaries, which are few and are summed again each time. */
export function summingAll(valueOf: (ask: Billed) => number): Measure {
  const ofSteps = summing(valueOf);
  return (state) => summariesOf(state).reduce((sum, summary) => sum + valueOf(summary), ofSteps(state));
}

/** The tokens of a response, of its failed attempts, and of its subagents. @see LOOP-40 SUBAGENT-10 */
export function tokensOf(ask: Billed): number {
  return usagesOf(ask).reduce((sum, usage) => sum + (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0), 0);
}

/** Whether the provider did not count what a response, or one of its subagents, took. @see LOOP-122 */
export function isUncounted({ subagents = [], ...ask }: Billed): boolean {
  return usagesOf(ask).some(isUnknown) || subagents.some((one) => hasAsked(one) && isUnknown(one.usage));
}

/** Whether a model has answered a subagent: one without a turn left has asked nobody, and a call that failed took nothing. */
function hasAsked({ turns, status }: SubagentReport): boolean {
  return turns > (status === "error" ? 1 : 0);
}

function isUnknown({ input_tokens, output_tokens }: Usage): boolean {
  return input_tokens === null || output_tokens === null;
}

type Billed = Pick<Step, "usage" | "attempts" | "subagents">;

/** A failed attempt without usage took nothing. */
function usagesOf({ usage, attempts = [], subagents = [] }: Billed): Usage[] {
  return [usage, ...attempts.flatMap((attempt) => attempt.usage ?? []), ...subagents.flatMap(usagesOf)];
}

/** How many tokens a run may still use. @see SUBAGENT-11 */
export function tokensLeft(run: State, most: number): number {
  return Math.max(0, most - tokensOfRun()(run));
}
