// A stop condition: the model says goodbye although it calls tools.

import { agentLoop, defineTool, type Message, type ModelResponse, type Plugin } from "../../index.ts";

const isGoodbye = (message: Message) => "content" in message && /\bgoodbye\b/i.test(String(message.content));

const saidGoodbye: Plugin = {
  name: "said-goodbye",
  attach: () => ({
    afterBatch: (_, { session, response_start }) =>
      session.messages.slice(response_start).some(isGoodbye)
        ? { ending: { status: "stopped", stop_condition: "said_goodbye" } }
        : undefined,
  }),
};

const call = (id: string): Message => ({ type: "tool_call", id, name: "look", input: {} });
const answers: ModelResponse[] = [
  { messages: [{ role: "assistant", content: "One more look." }, call("c1")], stop_reason: "tool_use" },
  { messages: [{ role: "assistant", content: "Goodbye!" }, call("c2")], stop_reason: "tool_use" },
];
const provider = { name: "scripted", invokeModel: async () => answers.shift()! };
const tools = [defineTool({ name: "look", input_schema: { type: "object" }, execute: () => "nothing new" })];
const { status, stop_condition, tool_calls } = await agentLoop({ provider, tools, input: "Hi.", use: [saidGoodbye] })
  .result;
console.log(status, stop_condition, `after ${tool_calls} calls`);
