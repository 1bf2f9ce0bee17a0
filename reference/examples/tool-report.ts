// What a tool can report besides its output: progress, data for programs, and metrics.

import { agentLoop, defineTool, initSession, virtualClock, type ModelResponse } from "../index.ts";

const answers: ModelResponse[] = [
  { messages: [{ type: "tool_call", id: "c1", name: "count", input: { word: "tea" } }], stop_reason: "tool_use" },
  { messages: [{ role: "assistant", content: "Three times." }], stop_reason: "end_turn" },
];
const provider = { name: "scripted", invokeModel: async () => answers.shift()! };
const clock = virtualClock();
const count = defineTool({
  name: "count",
  input_schema: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
  execute({ word }, { progress, metrics }) {
    for (const page of [1, 2]) progress(`page ${page} of 2`);
    clock.advance(80);
    metrics["pages"] = 2;
    return { output: `3 times "${word}"`, data: { lines: [4, 8, 15] } };
  },
});
const session = initSession({ id: "book", user: "How often does it say tea?" });
const run = agentLoop({ provider, tools: [count], clock, session });
for await (const event of run) {
  if (event.type === "tool_progress") console.log(event.name, event.progress);
  if (event.type === "message" && event.message.type === "tool_result") console.log(JSON.stringify(event.message));
}
for (const { turn, kind, tools } of (await run.result).steps) console.log(turn, kind, JSON.stringify(tools));
