// A readable log of a run, for debugging: here, why nothing was sent.

import { agentLoop, defineTool, initSession, type ModelResponse } from "../index.ts";
import { debug } from "../events/debug.ts";

const answers: ModelResponse[] = [
  { messages: [{ type: "tool_call", id: "c1", name: "send", input: { to: "Ann" } }], stop_reason: "tool_use" },
  { messages: [{ role: "assistant", content: "I could not send it." }], stop_reason: "end_turn" },
];
const provider = { name: "scripted", model: "m", invokeModel: async () => answers.shift()! };
const send = defineTool({ name: "send", input_schema: { type: "object" }, execute: async () => "sent" });
const session = initSession({ id: "mail", user: "Write to Ann." });
const options = { max_turns: 5, permissions: { rules: [{ effect: "deny" as const, match: "send" }] } };
await agentLoop({ provider, tools: [send], options, session, watch: [debug(console.log)] }).result;
