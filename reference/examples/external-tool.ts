// A run that suspends because only its caller can answer, is kept as JSON, and resumes with the answer.

import { agentLoop, defineTool, initSession, resume, type Provider, type Snapshot } from "../index.ts";

// A scripted model: first it asks the user, then it uses the answer.
const model: Provider = {
  name: "scripted",
  async invokeModel({ messages }) {
    const answer = messages.findLast((message) => "type" in message && message.type === "tool_result");
    return answer && "output" in answer
      ? { messages: [{ role: "assistant", content: `Booked for ${String(answer.output)}.` }], stop_reason: "end_turn" }
      : {
          messages: [{ type: "tool_call", id: "q1", name: "ask_user", input: { question: "Which day?" } }],
          stop_reason: "tool_use",
        };
  },
};
const ask_user = defineTool({ name: "ask_user", input_schema: { type: "object" } }); // no handler: external

const first = agentLoop({
  provider: model,
  tools: [ask_user],
  session: initSession({ id: "booking", user: "Book a table." }),
});
const suspended = await first.result;
console.log(suspended.status, JSON.stringify(suspended.pending));

const kept = JSON.stringify(suspended.snapshot); // to a file, to a queue, to another process …
const snapshot = JSON.parse(kept) as Snapshot;

const second = resume({
  provider: model,
  tools: [ask_user],
  snapshot,
  decisions: [{ id: "q1", action: "respond", output: "Friday" }],
});
const { status, turns, final_text } = await second.result;
console.log(status, `after ${turns} turns:`, final_text);
