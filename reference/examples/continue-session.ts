// Sessions in a folder: one is created, continued as the latest one, forked, and continued by id.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentLoop, type InvokeModel } from "../index.ts";
import { jsonlStore } from "../stores/jsonl.ts";

// A scripted model that counts what it is sent.
const invokeModel: InvokeModel = async ({ messages: { length } }) => {
  return { messages: [{ role: "assistant", content: `${length} so far.` }], stop_reason: "end_turn" };
};
const folder = await mkdtemp(join(tmpdir(), "sessions-"));
const store = jsonlStore(folder);
async function say(id: string, input: string) {
  const journal = await store.open(id);
  const provider = { name: "scripted", invokeModel };
  const run = agentLoop({ provider, journal, session: await journal.session(), input });
  console.log(`${id}: ${input} ${(await run.result).final_text}`);
  await journal.close();
}
await say("trip", "To Rome.");
const [latest] = await store.list();
await say(latest!.id, "By train.");
await store.fork("trip", "other-trip");
await say("other-trip", "By ship.");
await say("trip", "On Monday.");
await rm(folder, { recursive: true });
