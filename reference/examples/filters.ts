// One run for two consumers: a log of whole messages, and a screen that shows them as they stream.

import fixture from "../../fixtures/anthropic-messages/weather-loop-streamed.json" with { type: "json" };
import { onlyDeltas, onlyMessages } from "../events/filters.ts";
import { agentLoop, defineTool, initSession, type Fixture } from "../index.ts";
import { replay } from "../providers/replay/index.ts";

const input_schema = { type: "object", properties: { city: { type: "string" } } } as const;
const get_weather = defineTool({ name: "get_weather", input_schema, execute: async () => "18 °C" });
const session = initSession({ id: "weather", user: "What is the weather in Paris and in Rome?" });
const run = agentLoop({ provider: replay(fixture as Fixture), tools: [get_weather], session });

const log: string[] = [];
const keepLog = async () => {
  for await (const { kind } of onlyMessages(run)) log.push(kind);
};
const screen: Record<string, string> = {};
const show = async () => {
  for await (const { turn, index, kind, name, delta } of onlyDeltas(run)) {
    const line = `${turn}.${index} ${name ?? kind}`;
    screen[line] = (screen[line] ?? "") + delta;
  }
};
await Promise.all([keepLog(), show()]);
console.log(log.join(" "));
for (const [line, text] of Object.entries(screen)) console.log(`${line}: ${text}`);
