// The cost of the model calls of a run, and their budget.

import { priced, pricedAnswer, costsOf, summariesOf } from "../../state/costs.ts";
import type { State } from "../../core/ports.ts";
import { counted } from "../../state/counters.ts";
import { isAtLeast, isMoney, sumOf } from "../../support/money.ts";
import type {
  Agent,
  LoopError,
  ModelRequest,
  ModelResponse,
  Price,
  PriceTable,
  RunOptions,
} from "../../../schemas/types.ts";
import type { Plugin, Boundary } from "../plugin.ts";

export const budget: Plugin = {
  name: "budget",
  options: ["budget"],
  attach({ options, agents, provider }) {
    if (options.budget == null && !options.prices) return;
    return {
      refuses: unpriced(options, agents.definitions, provider.model),
      betweenTurns: { check: budgetLimit(options) },
    };
  },
};

/** Inside of what continues a paused response: each of its requests is priced by its own tokens. @see RESULT-24 */
export const requestPrices: Plugin = {
  name: "request-prices",
  options: ["prices"],
  attach({ options: { prices }, state, provider }) {
    if (!prices) return;
    let costs: (string | null)[] = []; // of the requests for this response
    const price = priceOf(prices, state, provider.model);
    return {
      aroundModel:
        (next) =>
        async (request, ...at) => {
          costs = [];
          const { notes, ...answer } = await next(request, ...at);
          return { ...answer, notes: { ...notes, cost: costs.length > 0 ? sumOf(costs) : null } };
        },
      aroundRequest: (next, aside) =>
        aside
          ? next
          : async (request, call) => {
              const { cost, ...answer } = price(request, await next(request, call));
              costs.push(cost);
              return answer;
            },
    };
  },
};

/**
 * What a response cost, and it with the cost of each attempt that failed before it.
 * @param defaultModel the model that is called if a request names none
 * @see RESULT-10 RESULT-12
 */
function priceOf(prices: PriceTable, run: State, defaultModel: string | undefined) {
  const { fallback_models = [] } = run.options;
  return (request: ModelRequest, { attempts, ...answer }: ModelResponse): ModelResponse & { cost: string | null } => {
    const requested = request.model ?? defaultModel;
    const fallback = fallback_models[counted(run, "fallbacks") - 1];
    const pricedAttempts = attempts?.map((attempt) =>
      attempt.usage ? { ...attempt, cost: priced(prices, [attempt.model, requested], attempt.usage) } : attempt,
    );
    const cost = pricedAnswer(prices, [answer.model, fallback ?? requested], answer);
    return { ...answer, ...(pricedAttempts && { attempts: pricedAttempts }), cost };
  };
}

/** Ends a run whose budget is spent, or whose cost is unknown. @see LOOP-57 LOOP-59 */
function budgetLimit({ budget = null }: RunOptions): Boundary | undefined {
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

/** Why the cost of a run cannot be computed: an invalid amount, or a budget with a model that has no price. @see LOOP-58 */
function unpriced(
  { budget = null, prices, fallback_models = [] }: RunOptions,
  definitions: Record<string, Agent>,
  defaultModel: string | undefined,
): LoopError | undefined {
  if (budget === null && !prices) return undefined;
  const amounts = [budget ?? "0", ...Object.values(prices?.models ?? {}).flatMap(amountsOf)];
  const wrong = amounts.find((amount) => !isMoney(amount));
  if (wrong !== undefined)
    return misconfigured(
      `Expected an amount of money as a decimal string such as "0.25", got ${JSON.stringify(wrong)}.`,
    );
  if (budget === null) return undefined;
  const agents = Object.values(definitions);
  if (!prices) return misconfigured("A run with a budget needs `prices` to compute the cost of its model calls.");
  const nameless = agents.find(({ model = defaultModel }) => model === undefined);
  if (nameless)
    return misconfigured(`A run with a budget needs to know the model of the agent ${nameless.name}. Name it.`);
  const models = [...agents.map(({ model = defaultModel }) => model!), ...fallback_models];
  const missing = models.find((model) => !Object.hasOwn(prices.models, model));
  if (missing === undefined) return undefined;
  return misconfigured(`The model ${missing} has no price, but the run has a budget. Add the model to \`prices\`.`);
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
  "or did not report its tokens.";
