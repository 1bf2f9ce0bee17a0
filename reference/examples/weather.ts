// A tool, a run, and its events. The model's answers come from a fixture: no key, no network.

import fixture from "../../fixtures/anthropic-messages/weather-loop-streamed.json" with { type: "json" };
import { agentLoop, defineTool, initSession, type Fixture } from "../index.ts";
import { replay } from "../providers/replay/index.ts";

const get_weather = defineTool({
  name: "get_weather",
  description: "The weather in a city, now.",
  input_schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  execute: async ({ city }) => (city === "Rome" ? "24 °C" : "18 °C"),
});

const session = initSession({ id: "weather", user: "What is the weather in Paris and in Rome?" });
const run = agentLoop({ provider: replay(fixture as Fixture), tools: [get_weather], session });

for await (const event of run) {
  if (event.type === "message_delta") process.stdout.write(event.delta);
  if (event.type === "message_end") process.stdout.write("\n");
  if (event.type === "tool_end") console.log(`  ${event.name}: ${event.outcome}`);
}
const { status, turns, usage } = await run.result;
console.log(`${status} after ${turns} turns, ${usage.input_tokens} tokens in, ${usage.output_tokens} out`);
