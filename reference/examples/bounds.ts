// Bounds: how much of what a model says is read, and what becomes of the rest.

import { agentLoop, defineTool, type InvokeModel } from "../index.ts";

const deep = { a: { b: { c: { d: "e" } } } };
const call = (id: string, input: object) => ({ type: "tool_call" as const, id, name: "save", input: { ...input } });
// A scripted model that nests its arguments deeper than is allowed, and then calls too many tools at once.
const invokeModel: InvokeModel = async ({ messages }) => ({
  messages: messages.length === 1 ? [call("c1", deep)] : [call("c2", {}), call("c3", {}), call("c4", {})],
  stop_reason: "tool_use",
});
const save = defineTool({ name: "save", input_schema: { type: "object" }, execute: () => "saved" });
const run = agentLoop({
  provider: { name: "scripted", invokeModel },
  tools: [save],
  input: "Save it.",
  options: { bounds: { depth: 3, calls: 2 } },
});
for await (const event of run)
  if (event.type === "message" && event.message.type === "tool_result")
    console.log(event.message.id, event.message.outcome);
const { status, error } = await run.result;
console.log(`${status}: ${error?.message}`);
