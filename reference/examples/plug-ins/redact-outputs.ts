// A redactor: what looks like a key leaves no tool, whatever the tool is.

import { agentLoop, defineTool, type ModelResponse, type Plugin } from "../../index.ts";

const redact = (secret: RegExp): Plugin => ({
  name: "redact-outputs",
  attach: () => ({
    aroundTool: (next) => async (call, context, state) => {
      const returned = await next(call, context, state);
      return JSON.parse(JSON.stringify(returned).replaceAll(secret, "[redacted]")) as typeof returned;
    },
  }),
});

const answers: ModelResponse[] = [
  { messages: [{ type: "tool_call", id: "c1", name: "read", input: { file: ".env" } }], stop_reason: "tool_use" },
  { messages: [{ role: "assistant", content: "I have read it." }], stop_reason: "end_turn" },
];
const provider = { name: "scripted", invokeModel: async () => answers.shift()! };
const read = defineTool({ name: "read", input_schema: { type: "object" }, execute: () => "KEY=key-12345 PORT=80" });
const run = agentLoop({ provider, tools: [read], input: "Read .env.", use: [redact(/key-\w+/g)] });
for (const message of (await run.session).messages) if ("outcome" in message) console.log(message.output);
