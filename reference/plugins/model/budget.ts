// What the model calls of a run cost, and how much they may cost. Plugs into `invokeModel` and `boundary`.

import type { Boundary } from "../turns/steering.ts";
import type { Ports, State } from "../../core/ports.ts";
import { UNKNOWN } from "../../core/usage.ts";
import { counted } from "../../state/counters.ts";
import { costOf, isAtLeast, isMoney, leftOf, sumOf } from "../../support/money.ts";
import type { Agent, LoopError, Price, PriceTable, RunOptions, Step } from "../../../schemas/types.ts";

/**
 * Notes the cost of every model call, and of the attempts that failed before it.
 * @param modelAsked the model that is asked where a request names none
 * @see RESULT-10 RESULT-12
 */
export function priceCalls(
  invokeModel: Ports["invokeModel"],
  run: State,
  modelAsked: string | undefined,
): Ports["invokeModel"] {
  const { prices, fallback_models = [] } = run.options;
  if (!prices) return invokeModel;
  return async (request, ...at) => {
    const { notes = {}, ...answer } = await invokeModel(request, ...at);
    const asked = request.model ?? modelAsked;
    const fallback = fallback_models[counted(run, "fallbacks") - 1];
    const cost = priced(prices, [answer.model, fallback ?? asked], answer.usage);
    const attempts = notes.attempts?.map((attempt) =>
      attempt.usage ? { ...attempt, cost: priced(prices, [attempt.model, asked], attempt.usage) } : attempt,
    );
    return { ...answer, notes: { ...notes, ...(attempts && { attempts }), cost } };
  };
}

/** Ends a run that has cost as much as it may, or whose cost cannot be told. @see LOOP-57 LOOP-59 */
export function budgetLimit({ budget = null }: RunOptions): Boundary | undefined {
  if (budget === null) return undefined;
  let seen = 0;
  let spent: string | null = "0";
  return (state) => {
    const { steps } = state;
    for (; seen < steps.length; seen += 1) spent = sumOf([spent, ...costsOf(steps[seen]!)]);
    const all = sumOf([spent, ...summariesOf(state).flatMap(costsOf)]);
    if (all === null) return { do: "end", ending: { status: "error", error: misconfigured(UNKNOWN_COST) } };
    return isAtLeast(all, budget) ? { do: "end", ending: { status: "budget" }, limit: "budget" } : { do: "continue" };
  };
}

/** Why the costs of a run cannot be counted: an amount is none, or it has a budget and may ask a model without a price. @see LOOP-58 */
export function unpriced(
  { budget = null, prices, fallback_models = [] }: RunOptions,
  definitions: Record<string, Agent>,
  modelAsked: string | undefined,
): LoopError | undefined {
  if (budget === null && !prices) return undefined;
  const amounts = [budget ?? "0", ...Object.values(prices?.models ?? {}).flatMap(amountsOf)];
  const wrong = amounts.find((amount) => !isMoney(amount));
  if (wrong !== undefined)
    return misconfigured(`An amount of money is a decimal number such as "0.25", not ${JSON.stringify(wrong)}.`);
  if (budget === null) return undefined;
  const agents = Object.values(definitions);
  if (!prices) return misconfigured("A run with a budget needs `prices`: nobody knows what its model calls cost.");
  const nameless = agents.find(({ model = modelAsked }) => model === undefined);
  if (nameless)
    return misconfigured(`A run with a budget needs to know the model of the agent ${nameless.name}. Name it.`);
  const models = [...agents.map(({ model = modelAsked }) => model!), ...fallback_models];
  const missing = models.find((model) => !Object.hasOwn(prices.models, model));
  if (missing === undefined) return undefined;
  return misconfigured(`The model ${missing} has no price, but the run has a budget. Add the model to \`prices\`.`);
}

/** Every time that the model was asked: for a response, or for a summary. @see RESULT-4 COMPACT-17 */
export function asksOf(state: State): ModelAsk[] {
  return [...state.steps, ...summariesOf(state)];
}

/** The compactions for which a model was asked. */
export function summariesOf({ compactions = [] }: State): ModelAsk[] {
  return compactions.flatMap(({ usage, ...asked }) => (usage ? [{ ...asked, usage }] : []));
}

/** What asking the model for something took. */
type ModelAsk = Pick<Step, "model" | "usage" | "cost" | "attempts" | "subagents">;

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

function amountsOf({ long_prompt, source: _, ...price }: Partial<Price>): string[] {
  const { above: _above, ...long } = long_prompt ?? { above: 0 };
  return [...Object.values(price), ...Object.values(long)];
}

function misconfigured(message: string): LoopError {
  return { kind: "configuration", message };
}

const UNKNOWN_COST =
  "The run has a budget, but the cost of its last model call is unknown: the provider named a model without a price, " +
  "or did not say how many tokens it took.";
