// A third process: sees what waits for approval, and approves it some time later.

import { setTimeout as sleep } from "node:timers/promises";

import { openQueue, orders } from "./orders.ts";
import { notesIn, type Note } from "./world.ts";

process.stdin.resume().once("end", () => process.exit(1));
const { notes, ...place } = orders();
const { store } = await openQueue(place);
const approved = new Set<string>();

async function approve({ run, pending = [] }: Note): Promise<void> {
  const decisions = pending.map(({ id, input_hash }) => ({ id, action: "approve", input_hash }));
  await store.enqueue(run, { decisions });
  approved.add(run);
}

for (;;) {
  const now = performance.timeOrigin + performance.now();
  const due = notesIn(notes)
    .read()
    .filter(({ kind, run, at }) => kind === "pending" && !approved.has(run) && at < now - 200);
  for (const note of new Map(due.map((one) => [one.run, one])).values()) await approve(note).catch(() => {});
  await sleep(100);
}
