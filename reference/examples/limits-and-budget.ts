// A model that never finishes, and the limits that end its run: between two turns, with nothing cut off.

import { agentLoop, defineTool, initSession, type Provider, type RunOptions } from "../index.ts";

// A scripted model that looks again and again.
const unknown = { cache_read_tokens: null, cache_write_tokens: null, reasoning_tokens: null };
const usage = { input_tokens: 900, output_tokens: 100, ...unknown };
const provider: Provider = {
  name: "scripted",
  async invokeModel() {
    const message = { type: "tool_call" as const, id: "", name: "look", input: {} };
    return { messages: [message], stop_reason: "tool_use", model: "small", usage };
  },
};
const look = defineTool({ name: "look", input_schema: { type: "object" }, execute: () => "nothing yet" });
const prices = { currency: "USD", models: { small: { input: "1.00", output: "5.00" } } }; // per million tokens

const limits: RunOptions[] = [{ max_turns: 2 }, { max_tool_calls: 3 }, { max_total_tokens: 3500 }, { budget: "0.006" }];
for (const limit of limits) {
  const session = initSession({ id: "look", user: "Is it there yet?" });
  const run = agentLoop({ provider, model: "small", tools: [look], options: { ...limit, prices }, session });
  const { status, turns, cost } = await run.result;
  console.log(`${JSON.stringify(limit)}: ${status} after ${turns} turns, ${cost} ${prices.currency}`);
}
