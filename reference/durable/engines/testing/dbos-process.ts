// A worker or an approver of the chaos test, on DBOS.

import { setTimeout as sleep } from "node:timers/promises";
import { notesIn, setupOf } from "../../../testing/chaos/world.ts";
import type { DurableSetup } from "../../index.ts";
import { connect, register, work } from "../dbos.ts";

process.stdin.resume().once("end", () => process.exit(1)); // ends with its parent
const [program, url, file, worker] = process.argv.slice(2) as [string, string, string, string];
const notes = notesIn(file);

if (program === "worker") {
  const pace = { model: 20, slow: 60, quick: 20 };
  register(
    (run) => setupOf(run, pace, notes) as DurableSetup,
    (workflow, { result, session }) => {
      if (!result.pending) notes.add("done", session.id, result.status);
      else notes.add("pending", session.id, workflow, { pending: result.pending });
    },
  );
  await work(url, worker, 20);
} else {
  const client = await connect(url);
  const approved = new Set<string>();
  for (;;) {
    for (const { kind, what: workflow, pending = [] } of notes.read()) {
      if (kind !== "pending" || approved.has(workflow)) continue;
      const approve = ({ id, input_hash = "" }: (typeof pending)[number]) =>
        ({ id, action: "approve", input_hash }) as const;
      // The workflow may still be writing down that it has ended.
      if (!(await client.endOf(workflow).catch(() => undefined))) continue;
      await client.approve(workflow, pending.map(approve)).then(
        () => approved.add(workflow),
        () => {},
      );
    }
    await sleep(100);
  }
}
