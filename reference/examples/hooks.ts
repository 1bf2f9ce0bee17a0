// Hooks: a call is blocked, a secret is redacted from an output, and the run may not end before it has reported.

import { agentLoop, defineTool, initSession, type Hook, type ModelResponse } from "../index.ts";

const call = (id: string, name: string) => ({ type: "tool_call" as const, id, name, input: { file: "notes.txt" } });
const answers: ModelResponse[] = [
  { messages: [call("c1", "read"), call("c2", "remove")], stop_reason: "tool_use" },
  { messages: [{ role: "assistant", content: "Done." }], stop_reason: "end_turn" },
  { messages: [{ role: "assistant", content: "The notes are about tea." }], stop_reason: "end_turn" },
];
const provider = { name: "scripted", invokeModel: async () => answers.shift()! };
const execute = async () => "tea, key=abc";
const tools = ["read", "remove"].map((name) => defineTool({ name, input_schema: { type: "object" }, execute }));

const hooks: Hook[] = [
  { point: "before_tool", tool: "remove", run: () => ({ block: "the notes are not yours" }) },
  { point: "after_tool", run: ({ output }) => ({ output: String(output).replace(/key=\w+/, "key=***") }) },
  { point: "stop", run: ({ turn }) => (turn < 3 ? { block: "Say what you found." } : {}) },
];
const session = initSession({ id: "hooks", user: "What do the notes say?" });
const run = agentLoop({ provider, tools, hooks, session });
for (const message of (await run.session).messages) console.log(JSON.stringify({ ...message, meta: undefined }));
