// Which tools of a batch run at the same time. `read(` is where a call begins, `)` where it ends.

import { agentLoop, defineTool, initSession, type InvokeModel, type ToolContext } from "../index.ts";

// A scripted model that reads twice, writes, and reads what it has written.
const names = ["read", "read", "write", "read"];
const calls = names.map((name) => ({ type: "tool_call" as const, id: "", name, input: {} }));
const invokeModel: InvokeModel = async ({ messages }) =>
  messages.length === 1
    ? { messages: calls, stop_reason: "tool_use" }
    : { messages: [{ role: "assistant", content: "Done." }], stop_reason: "end_turn" };
let timeline = "";
const execute = async (_: object, { call }: ToolContext) => {
  timeline += ` ${call.name}(`;
  await new Promise(setImmediate);
  timeline += " )";
  return "ok";
};
const input_schema = { type: "object" } as const;
const read = defineTool({ name: "read", input_schema, annotations: { read_only: true }, execute });
const write = defineTool({ name: "write", input_schema, execute });

for (const scheduling of ["barrier", "reads_first", "parallel", "serial"] as const) {
  timeline = "";
  const session = initSession({ id: "files", user: "Look, change, look again." });
  const provider = { name: "scripted", invokeModel };
  await agentLoop({ provider, tools: [read, write], options: { scheduling }, session }).result;
  console.log(`${scheduling}:${timeline}`);
}
