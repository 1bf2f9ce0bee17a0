// A guard that asks a person over HTTP before each call, and denies it where nobody can be reached.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { agentLoop, defineTool, type Message, type ModelResponse, type Plugin } from "../../index.ts";

const askOverHttp = (url: string): Plugin => ({
  name: "ask-over-http",
  attach: ({ signal }) => ({
    beforeCall: (next) => async (call, state) => {
      const response = await fetch(url, { method: "POST", body: JSON.stringify(call), signal }).catch(() => undefined);
      if (response?.ok) return next(call, state);
      const output = `The call of ${call.name} was denied by a person. Do not try it again.`;
      const result = { type: "tool_result", id: call.id, output, is_error: true, outcome: "denied" } as const;
      return { do: "answer", result };
    },
  }),
});

const person = createServer((_, answer) => void answer.writeHead(403).end()).listen(0, "127.0.0.1");
await new Promise((resolve) => person.once("listening", resolve));
const call: Message = { type: "tool_call", id: "c1", name: "pay", input: { amount: 100 } };
const answers: ModelResponse[] = [
  { messages: [call], stop_reason: "tool_use" },
  { messages: [{ role: "assistant", content: "Then not." }], stop_reason: "end_turn" },
];
const provider = { name: "scripted", invokeModel: async () => answers.shift()! };
const pay = defineTool({ name: "pay", input_schema: { type: "object" }, execute: () => console.log("paid!") });
const use = [askOverHttp(`http://127.0.0.1:${(person.address() as AddressInfo).port}`)];
const run = agentLoop({ provider, tools: [pay], input: "Pay.", use });
for (const message of (await run.session).messages) if ("outcome" in message) console.log(message.output);
person.close();
