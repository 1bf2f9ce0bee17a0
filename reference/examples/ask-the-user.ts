// A question to the user: the run suspends for the answer, and executes the rest of the batch meanwhile.

import { agentLoop, defineTool, resume, type Message, type ModelResponse } from "../index.ts";

// A scripted model: it asks, looks for tables at the same time, and is done.
const call = (name: string, input = {}): Message => ({ type: "tool_call", id: name, name, input });
const answers: ModelResponse[] = [
  { messages: [call("ask_user", { question: "Which day?" }), call("find_tables")], stop_reason: "tool_use" },
  { messages: [{ role: "assistant", content: "Booked." }], stop_reason: "end_turn" },
];
const provider = { name: "scripted", invokeModel: async () => answers.shift()! };
const execute = () => (console.log("looks for tables"), "On every day.");
const ask_user = defineTool({ name: "ask_user", input_schema: { type: "object" } }); // no handler: the caller answers
const find_tables = defineTool({ name: "find_tables", input_schema: { type: "object" }, execute });
const setup = { provider, tools: [ask_user, find_tables], options: { approval_batch: "eager" as const } };

const { snapshot, pending } = await agentLoop({ ...setup, input: "A table." }).result;
const { id, input } = pending![0]!;
console.log("asks:", input["question"]);
const run = resume({ ...setup, snapshot: snapshot!, decisions: [{ id, action: "respond", output: "Friday" }] });
for await (const event of run)
  if (event.type === "message") console.log(JSON.stringify({ ...event.message, meta: undefined }));
