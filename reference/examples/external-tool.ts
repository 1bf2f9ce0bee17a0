// A run that suspends for an answer from its caller, is saved as JSON, and resumes with the answer, even though a tool has changed.

import { agentLoop, defineTool, initSession, resume, type InvokeModel, type Snapshot } from "../index.ts";

// A scripted model: first it asks the user, then it uses the answer.
const call = { type: "tool_call" as const, id: "q1", name: "ask_user", input: { question: "Which day?" } };
const invokeModel: InvokeModel = async ({ messages }) => {
  const last = messages.at(-1)!;
  return last.type === "tool_result"
    ? { messages: [{ role: "assistant", content: `Booked for ${last.output}.` }], stop_reason: "end_turn" }
    : { messages: [call], stop_reason: "tool_use" };
};
const provider = { name: "scripted", invokeModel };
const ask_user = defineTool({ name: "ask_user", input_schema: { type: "object" } }); // no handler: external

const session = initSession({ id: "booking", user: "Book a table." });
const suspended = await agentLoop({ provider, tools: [ask_user], session }).result;
console.log(suspended.status, JSON.stringify(suspended.pending));

const kept = JSON.stringify(suspended.snapshot); // to a file, to a queue, to another process …
const snapshot = JSON.parse(kept) as Snapshot;

const decisions = [{ id: "q1", action: "respond" as const, output: "Friday" }];
const changed = { ...ask_user, description: "Asks the user, and nobody else." };
const second = resume({ provider, tools: [changed], snapshot, decisions });
for await (const event of second) if (event.type === "warning") console.log(event.code, event.message);
const { status, turns, final_text } = await second.result;
console.log(status, `after ${turns} turns:`, final_text);
