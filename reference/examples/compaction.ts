// A session that has grown too large is compacted before the next model call; the events say what was replaced.

import fixture from "../../fixtures/anthropic-messages/weather-loop-streamed.json" with { type: "json" };
import { agentLoop, defineTool, initSession, type Fixture } from "../index.ts";
import { replay } from "../providers/replay/index.ts";

const get_weather = defineTool({ name: "get_weather", input_schema: { type: "object" }, execute: () => "18 °C" });
const session = initSession({ id: "weather", user: "Save a poem about the weather, a thousand times." });
session.messages.push(
  { type: "tool_call", id: "c1", name: "save", input: { poem: "The rain it raineth every day. ".repeat(1_000) } },
  { type: "tool_result", id: "c1", output: "saved" },
  { role: "assistant", content: "It is saved." },
  { role: "user", content: "What is the weather in Paris and in Rome?" },
);
const options = { compaction: { strategy: "truncate_old", at_tokens: 5_000, keep_last_turns: 1 } };
const run = agentLoop({ provider: replay(fixture as Fixture), tools: [get_weather], session, options });
for await (const event of run) {
  if (event.type !== "compaction") continue;
  const { strategy, from, to, messages, before_tokens, after_tokens } = event;
  console.log(`${strategy}: messages ${from} to ${to}, ${before_tokens} tokens before, ${after_tokens} after`);
  console.log(JSON.stringify(messages[0]).slice(0, 120));
}
console.log(
  `${(await run.result).status}, and the caller's session is ${JSON.stringify(session).length} characters long`,
);
