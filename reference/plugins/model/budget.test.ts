// Budgets beyond what a case can show: suspended runs, agents without a model, names that every object has.

import type { RunSetup } from "../../run/setup.ts";
import { describe, expect, it } from "vitest";

import { agentLoop, resume } from "../../run/run.ts";
import type { Provider } from "../../core/ports.ts";
import { initSession } from "../../core/session.ts";
import { UNKNOWN } from "../../core/usage.ts";
import { defineTool } from "../../tools/define-tool.ts";
import type { ModelResponse, RunOptions, Usage } from "../../../schemas/types.ts";

const session = initSession({ id: "s", user: "Go." });
/** A thousandth a token in, two thousandths a token out. */
const prices = { currency: "USD", models: { priced: { input: "1000", output: "2000" } } };
const cost = (tokens: number | null): Usage => ({ ...UNKNOWN, input_tokens: tokens, output_tokens: 0 });

const calls = (name: string, tokens: number | null): ModelResponse => ({
  messages: [{ type: "tool_call", id: `c${tokens}`, name, input: {} }],
  stop_reason: "tool_use",
  usage: cost(tokens),
  model: "priced",
});
const text = (tokens: number | null): ModelResponse => ({
  messages: [{ role: "assistant", content: "Done." }],
  stop_reason: "end_turn",
  usage: cost(tokens),
  model: "priced",
});

function scripted(...responses: ModelResponse[]): Provider & { asked: number } {
  const provider = {
    name: "scripted",
    asked: 0,
    invokeModel: async () => {
      provider.asked += 1;
      return responses.shift()!;
    },
  };
  return provider;
}

/** Without a handler: the caller answers. */
const ask = defineTool({ name: "ask", input_schema: { type: "object" } });
const look = defineTool({ name: "look", input_schema: { type: "object" }, execute: () => "ok" });

const setup = (provider: Provider, options: RunOptions, rest: Partial<RunSetup> = {}): RunSetup => ({
  provider,
  ...(!rest.agents && { model: "priced", tools: [ask, look] }),
  options: { prices, ...options },
  ...rest,
});

describe("a budget", () => {
  it("counts what was spent before the run was suspended [LOOP-57]", async () => {
    const provider = scripted(calls("ask", 300), calls("look", 200), text(1));
    const { snapshot } = await agentLoop({ session, ...setup(provider, { budget: "0.5" }) }).result;
    const decisions = [{ id: "c300", action: "respond" as const, output: "yes" }];
    const kept = JSON.parse(JSON.stringify(snapshot)) as typeof snapshot;
    const result = await resume({ ...setup(provider, {}), snapshot: kept!, decisions }).result;
    expect(result).toMatchObject({ status: "budget", cost: "0.5", cost_by_model: { priced: "0.5" }, turns: 2 });
    expect(provider.asked).toBe(2);
  });

  it("of nothing asks no model [LOOP-57]", async () => {
    const provider = scripted(text(1));
    const result = await agentLoop({ session, ...setup(provider, { budget: "0.00" }) }).result;
    expect(result).toMatchObject({ status: "budget", cost: "0", cost_by_model: {}, turns: 0 });
    expect(provider.asked).toBe(0);
  });

  it("does not turn a completed run into another one [LOOP-57]", async () => {
    const result = await agentLoop({ session, ...setup(scripted(text(900)), { budget: "0.5" }) }).result;
    expect(result).toMatchObject({ status: "completed", cost: "0.9" });
  });

  it("does not turn a completed run into an error when its last call costs nobody knows what [LOOP-59]", async () => {
    const result = await agentLoop({ session, ...setup(scripted(text(null)), { budget: "0.5" }) }).result;
    expect(result).toMatchObject({ status: "completed", cost: null, cost_by_model: { priced: null } });
  });

  it("says what to do when a cost is unknown [LOOP-59]", async () => {
    const provider = scripted(calls("look", null), text(1));
    const result = await agentLoop({ session, ...setup(provider, { budget: "0.5" }) }).result;
    expect(result).toMatchObject({ status: "error", error: { kind: "configuration" }, cost: null });
    expect(provider.asked).toBe(1);
  });
});

describe("a run with a budget is refused", () => {
  const refused = async (options: RunOptions, rest: Partial<RunSetup> = {}, provider: Partial<Provider> = {}) => {
    const scriptedOne = scripted(text(1));
    const given = setup({ ...scriptedOne, ...provider }, { budget: "1", ...options }, rest);
    const result = await agentLoop({ session, ...given }).result;
    expect(scriptedOne.asked).toBe(0);
    return result.error;
  };
  const models = (...names: string[]) => ({
    prices: { currency: "USD", models: Object.fromEntries(names.map((name) => [name, prices.models.priced])) },
  });

  it("when one of its agents has a model without a price [LOOP-58]", async () => {
    const agents = { a: { name: "a", model: "priced" }, b: { name: "b", model: "other" } };
    expect((await refused({}, { agents, agent: "a" }))?.message).toMatch(/model other has no price/);
  });

  it("when a model is called what every object has, and has no price [LOOP-58]", async () => {
    expect((await refused({}, { model: "constructor" }))?.message).toMatch(/model constructor has no price/);
  });

  it("when an amount of money is none [LOOP-58]", async () => {
    const error = {
      kind: "configuration",
      message: expect.stringMatching(/decimal string such as "0.25", got "0,50"/),
    };
    expect(await refused({ budget: "0,50" })).toEqual(error);
    const wrong = { currency: "EUR", models: { priced: { input: "1", output: "1", cache_read: "0,50" } } };
    expect(await refused({ prices: wrong })).toEqual(error);
    expect(await refused({ prices: wrong, budget: null })).toEqual(error);
  });

  it("when nobody knows which model is asked [LOOP-58]", async () => {
    const agents = { a: { name: "a" } };
    expect((await refused({}, { agents, agent: "a" }))?.message).toMatch(/the model of the agent a/);
  });

  it("when the model of the provider has no price, and the agent names none [LOOP-58]", async () => {
    const agents = { a: { name: "a" } };
    const error = await refused({}, { agents, agent: "a" }, { model: "house" });
    expect(error).toEqual({ kind: "configuration", message: expect.stringMatching(/model house has no price/) });
    expect((await refused(models("priced"), { agents, agent: "a" }, { model: "house" }))?.kind).toBe("configuration");
  });
});

describe("costs", () => {
  it("are counted without a budget, and are not reported without prices [RESULT-10]", async () => {
    expect((await agentLoop({ session, ...setup(scripted(text(5)), {}) }).result).cost).toBe("0.005");
    const without = await agentLoop({ session, provider: scripted(text(5)) }).result;
    expect(without).not.toHaveProperty("cost");
    expect(without).not.toHaveProperty("cost_by_model");
    expect(without.steps[0]).not.toHaveProperty("cost");
  });

  it("are those of the provider's model where nobody names one [RESULT-10]", async () => {
    const provider = { ...scripted({ ...text(5), model: "a-name-without-a-price" }), model: "priced" };
    const result = await agentLoop({ session, provider, options: { prices } }).result;
    expect(result.cost).toBe("0.005");
    expect(result.cost_by_model).toEqual({ "a-name-without-a-price": "0.005" });
  });

  it("have those of failed attempts that were billed, under the model that failed [RESULT-10 RESULT-11]", async () => {
    const failure: ModelResponse = {
      messages: [],
      stop_reason: "error",
      error: { kind: "overloaded", message: "busy" },
      usage: cost(100),
    };
    const both = { ...prices, models: { ...prices.models, cheap: { input: "10", output: "10" } } };
    const options = { prices: both, max_retries: 0, fallback_models: ["priced"] };
    const result = await agentLoop({ session, ...setup(scripted(failure, text(5)), options, { model: "cheap" }) })
      .result;
    expect(result).toMatchObject({ cost: "0.006", cost_by_model: { cheap: "0.001", priced: "0.005" } });
  });
});
