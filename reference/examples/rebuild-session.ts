// A session rebuilt from the events of its run: append the messages, and apply each compaction and amendment.

import fixture from "../../fixtures/anthropic-messages/weather-loop-streamed.json" with { type: "json" };
import { agentLoop, defineTool, initSession, type Fixture } from "../index.ts";
import { replay } from "../providers/replay/index.ts";

const input_schema = { type: "object", properties: { city: { type: "string" } } } as const;
const get_weather = defineTool({ name: "get_weather", input_schema, execute: async () => "18 °C" });
const session = initSession({ id: "weather", user: "What is the weather in Paris and in Rome?" });
const run = agentLoop({ provider: replay(fixture as Fixture), tools: [get_weather], session });

const rebuilt = [...session.messages];
for await (const event of run) {
  if (event.type === "message") rebuilt.push(event.message);
  if (event.type === "compaction" || event.type === "amendment")
    rebuilt.splice(event.from, event.to - event.from, ...event.messages);
}
for (const message of rebuilt) console.log("role" in message ? message.role : message.type);
console.log(JSON.stringify(rebuilt) === JSON.stringify((await run.session).messages) ? "the same" : "not the same");
