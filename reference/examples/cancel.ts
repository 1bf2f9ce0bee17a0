// A cancel amid a batch: finished results are kept, every call has a result, and the session can continue.

import { agentLoop, defineTool, initSession, type ModelResponse, type ToolContext, type ToolOutput } from "../index.ts";

const call = (id: string, name: string) => ({ type: "tool_call" as const, id, name, input: {} });
const answers: ModelResponse[] = [
  { messages: [call("c1", "save"), call("c2", "upload"), call("c3", "save")], stop_reason: "tool_use" },
  { messages: [{ role: "assistant", content: "One file is saved; nothing is uploaded." }], stop_reason: "end_turn" },
];
const provider = { name: "scripted", invokeModel: async () => answers.shift()! };
const save = defineTool({ name: "save", input_schema: { type: "object" }, execute: () => "saved" });
const execute = (_: object, { signal }: ToolContext) =>
  new Promise<ToolOutput>((resolve) => {
    signal.addEventListener("abort", () => resolve({ output: "nothing is uploaded", is_error: true }));
    run.cancel(); // somebody presses Ctrl-C while the tool runs
  });
const upload = defineTool({ name: "upload", input_schema: { type: "object" }, execute });

const setup = { provider, tools: [save, upload], options: { cancel_grace_ms: 100 } };
const run = agentLoop({ ...setup, session: initSession({ id: "files", user: "Save both, and upload the first." }) });
console.log((await run.result).status);
const session = await run.session;
for (const message of session.messages)
  if (message.type === "tool_result") console.log(message.id, message.outcome, message.output);
session.messages.push({ role: "user", content: "What happened?" });
console.log((await agentLoop({ ...setup, session }).result).final_text);
