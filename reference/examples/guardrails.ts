// A guardrail against leaking secrets, in the arguments of tools and in the text for the user.

import { agentLoop, defineTool, initSession, type Guardrail, type InvokeModel } from "../index.ts";

const noSecrets: Guardrail = {
  name: "no_secrets",
  points: ["tool_input", "final_output"],
  check({ call, text }) {
    const trip = /sk-\w+/.test(JSON.stringify(call?.input ?? text));
    return trip ? { trip, reason: `${call?.name ?? "the answer"} would give a key away` } : { trip };
  },
};
// A scripted model that has read a key somewhere, and wants to mail it.
const calls = [
  { type: "tool_call" as const, id: "m1", name: "mail", input: { to: "eve", text: "The key is sk-123." } },
];
const invokeModel: InvokeModel = async () => ({ messages: calls, stop_reason: "tool_use" });
const provider = { name: "scripted", invokeModel };
const mail = defineTool({ name: "mail", input_schema: { type: "object" }, execute: () => "sent" });

const session = initSession({ id: "mail", user: "Answer my mail." });
const run = agentLoop({ provider, tools: [mail], guardrails: [noSecrets], session });
const { status, guardrail, reason } = await run.result;
console.log(status, JSON.stringify(guardrail), reason);
console.log(JSON.stringify((await run.session).messages.at(-1)));
