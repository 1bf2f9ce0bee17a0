// What a run has used so far: each time that the model was asked, in tokens and in money.

import type { PriceTable, Step } from "../../schemas/types.ts";
import type { State } from "../core/ports.ts";
import { UNKNOWN } from "../core/usage.ts";
import { sumOf, leftOf, costOf } from "../support/money.ts";

/** Every time that the model was asked: for a response, or for a summary. @see RESULT-4 COMPACT-17 */
export function asksOf(state: State): ModelAsk[] {
  return [...state.steps, ...summariesOf(state)];
}

/** The compactions for which a model was asked. */
export function summariesOf({ compactions = [] }: State): ModelAsk[] {
  return compactions.flatMap(({ usage, ...asked }) => (usage ? [{ ...asked, usage }] : []));
}

/** What asking the model for something took. */
export type ModelAsk = Pick<Step, "model" | "usage" | "cost" | "attempts" | "subagents">;

/** What a response cost, with the attempts that failed before it, and the subagents that it called. @see SUBAGENT-10 */
export function costsOf({ cost = null, attempts = [], subagents = [] }: ModelAsk): (string | null)[] {
  return [
    cost,
    ...attempts.flatMap((attempt) => (attempt.cost === undefined ? [] : [attempt.cost])),
    ...subagents.flatMap((subagent) => (subagent.cost === undefined ? [] : [subagent.cost])),
  ];
}

/** How much a run may still cost. Nothing, if what it has cost is unknown: it ends for that reason. @see SUBAGENT-11 */
export function budgetLeft(run: State, budget: string): string {
  const spent = sumOf(asksOf(run).flatMap(costsOf));
  return spent === null ? "0" : leftOf(budget, spent);
}

/** A model is priced by the name under which it answered, or else by that under which it was asked. */
export function priced(
  { models }: PriceTable,
  names: (string | undefined)[],
  usage: Step["usage"] = UNKNOWN,
): string | null {
  const known = names.find((name) => name !== undefined && Object.hasOwn(models, name));
  return known === undefined ? null : costOf(usage, models[known]!);
}

/** A number that grows with a run. */
export type Measure = (state: State) => number;

/** The sum over the steps so far; only steps that were not there the last time are looked at. */
export function summing(valueOf: (step: Step) => number): Measure {
  let seen = 0;
  let sum = 0;
  return ({ steps }) => {
    for (; seen < steps.length; seen += 1) sum += valueOf(steps[seen]!);
    return sum;
  };
}

/** The summaries are few, and are added up anew. */
export function tokensOfRun(): Measure {
  const ofSteps = summing(tokensOf);
  return (state) => summariesOf(state).reduce((sum, summary) => sum + tokensOf(summary), ofSteps(state));
}

/** @see SUBAGENT-10 */
export function tokensOf({ usage, subagents = [] }: Pick<Step, "usage" | "subagents">): number {
  return subagents.reduce(
    (sum, subagent) => sum + tokensOf(subagent),
    (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0),
  );
}

/** How many tokens a run may still use. @see SUBAGENT-11 */
export function tokensLeft(run: State, most: number): number {
  return Math.max(0, most - tokensOfRun()(run));
}
