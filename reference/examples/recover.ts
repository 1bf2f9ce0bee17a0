// A process that dies while a tool runs: the run recovers from its journal, and repeats nothing that may have had effects.

import { agentLoop, defineTool, initSession, recover, type InvokeModel, type JournalRecord } from "../index.ts";

// A scripted model that calls two tools, and reports what it knows of them.
const calls = ["save", "mail"].map((name) => ({ type: "tool_call" as const, id: name, name, input: {} }));
const invokeModel: InvokeModel = async ({ messages }) =>
  messages.length === 1
    ? { messages: calls, stop_reason: "tool_use" }
    : { messages: [{ role: "assistant", content: "Please look whether it was mailed." }], stop_reason: "end_turn" };

const written: JournalRecord[] = []; // in place of a file
let left: JournalRecord[] = []; // what the file contains when the power fails
const journal = { read: async () => left, append: async (more: JournalRecord[]) => void written.push(...more) };
const save = defineTool({ name: "save", input_schema: { type: "object" }, execute: () => "saved" });
const execute = () => {
  left = [...written];
  run.cancel();
  return "mailed";
};
const mail = defineTool({ name: "mail", input_schema: { type: "object" }, execute });
const setup = { provider: { name: "scripted", invokeModel }, tools: [save, mail], journal };
const run = agentLoop({ ...setup, session: initSession({ id: "letter", user: "Save the letter, and mail it." }) });
await run.result;

for await (const event of recover(setup)) {
  if (event.type === "message") console.log(JSON.stringify({ ...event.message, meta: undefined }));
}
