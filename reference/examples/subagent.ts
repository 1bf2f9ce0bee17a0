// An agent as a tool of another one: its own session and turns, its events nested in those of the call.

import { agentLoop, initSession, subagentTool, type ModelResponse } from "../index.ts";

const input = { prompt: "What goes into a minestrone?" };
const answers: ModelResponse[] = [
  { messages: [{ type: "tool_call", id: "c1", name: "ask_cook", input }], stop_reason: "tool_use" },
  { messages: [{ role: "assistant", content: "Beans, pasta, vegetables." }], stop_reason: "end_turn" },
  { messages: [{ role: "assistant", content: "Buy beans and pasta." }], stop_reason: "end_turn" },
];
const provider = { name: "scripted", invokeModel: async () => answers.shift()! };
const cook = { name: "cook", instructions: "You are a cook. Answer in one sentence." };
const ask_cook = subagentTool({ name: "ask_cook", description: "Knows every recipe.", agent: cook });

const run = agentLoop({ provider, tools: [ask_cook], session: initSession({ id: "dinner", user: "What do I buy?" }) });
for await (const event of run) {
  if (event.type === "message") console.log("main", JSON.stringify(event.message));
  if (event.type !== "subagent_event") continue;
  if (event.event.type === "message") console.log(event.id, JSON.stringify(event.event.message));
}
for (const { subagents = [] } of (await run.result).steps)
  for (const { agent, session_id, turns } of subagents) console.log(`${agent}: ${turns} turn in session ${session_id}`);
