// A worker: takes sessions that wait, goes on with their runs wherever they were, and lets go of them when they are over or suspended.

import { agentLoop, defineTool, foldJournal, initSession, recover, resume } from "../../index.ts";
import type { InvokeModel, ResumeDecision } from "../../index.ts";
import { sqliteStore, type TakenSession } from "../../stores/sqlite.ts";

// A scripted model that wants to send a letter, which a person has to approve.
const invokeModel: InvokeModel = async ({ messages }) =>
  messages.length === 1
    ? { messages: [{ type: "tool_call", id: "c1", name: "send", input: {} }], stop_reason: "tool_use" }
    : { messages: [{ role: "assistant", content: "It is on its way." }], stop_reason: "end_turn" };
const tools = [defineTool({ name: "send", input_schema: { type: "object" }, execute: () => "sent" })];
const options = { permissions: { mode: "bypass" as const, rules: [{ effect: "ask" as const, match: "send" }] } };
const setup = { provider: { name: "scripted", invokeModel }, tools, options, lock: false as const };

/** The run of a session: begun, resumed or recovered, whichever its journal says. */
async function goOn(journal: TakenSession) {
  const records = await journal.read();
  const { input = "", decisions } = Object.assign({}, ...journal.jobs) as {
    input?: string;
    decisions?: ResumeDecision[];
  };
  if (records.length === 0)
    return agentLoop({ ...setup, journal, session: initSession({ id: journal.id, user: input }) });
  const snapshot = foldJournal(records);
  if (snapshot.phase === "suspended" && decisions) return resume({ ...setup, journal, snapshot, decisions });
  return recover({ ...setup, journal });
}

async function visit(taken: TakenSession): Promise<void> {
  const result = await (await goOn(taken)).result;
  const { phase } = foldJournal(await taken.read());
  // What is not in the journal has not happened: then the jobs wait for the next worker.
  if (phase === (result.status === "suspended" ? "suspended" : "done")) await taken.done();
  await taken.close();
  console.log(taken.id, result.status, result.pending?.map(({ id }) => id).join() ?? result.final_text);
  const decide = ({ id, input_hash = "" }: { id: string; input_hash?: string }) => ({
    id,
    action: "approve",
    input_hash,
  });
  if (result.pending) await store.enqueue(taken.id, { decisions: result.pending.map(decide) }); // as somebody else would, days later
}

const store = await sqliteStore(":memory:"); // for many processes a file; for many machines postgresStore(new Pool())
for (const id of ["letter-1", "letter-2"]) await store.enqueue(id, { input: "Send the letter." });
// Any number of processes do this; one that finds nothing waits for a moment, and looks again.
for (let taken = await store.take(); taken; taken = await store.take()) await visit(taken);
store.close();
