// Two agents: the desk finds out who calls and hands over; accounting continues in the same session.

import { agentLoop, defineTool, initSession, type InvokeModel, type ToolContext } from "../index.ts";

// A scripted model that calls a tool of each agent, and shows what it is sent.
const invokeModel: InvokeModel = async ({ messages: [instructions, ...messages], tools: [tool] }) => {
  console.log(JSON.stringify(instructions), "tool:", tool!.name, "messages:", messages.length);
  return messages.length === 5
    ? { messages: [{ role: "assistant", content: "You have 12 EUR." }], stop_reason: "end_turn" }
    : { messages: [{ type: "tool_call", id: "", name: tool!.name, input: {} }], stop_reason: "tool_use" };
};
const input_schema = { type: "object" } as const;
const found = { output: "Found.", context_updates: { customer: "Ada" }, handoff: "accounting" };
const find_customer = defineTool({ name: "find_customer", input_schema, execute: () => found });
const balances: Record<string, string> = { Ada: "12 EUR", Bob: "0 EUR" };
const execute = (_: object, { context }: ToolContext) => balances[String(context["customer"])]!;
const read_balance = defineTool({ name: "read_balance", input_schema, execute });
const agents = {
  desk: { name: "desk", instructions: "You are the desk.", tools: [find_customer] },
  accounting: { name: "accounting", instructions: "You are accounting.", tools: [read_balance] },
};
const session = initSession({ id: "call", user: "How much money do I have?" });
const run = agentLoop({ provider: { name: "scripted", invokeModel }, agents, agent: "desk", context: {}, session });
const { agent, final_text, context } = await run.result;
console.log(`${agent}: ${final_text} ${JSON.stringify(context)}`);
