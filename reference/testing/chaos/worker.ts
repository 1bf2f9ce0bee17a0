// A worker: takes runs that wait, goes on with them, and leaves them when they are over or suspended. It may be killed at any time.

import { setTimeout as sleep } from "node:timers/promises";

import { initSession } from "../../core/session.ts";
import { agentLoop, recover, resume, type Run } from "../../run/run.ts";
import type { RunSetup } from "../../run/setup.ts";
import { foldJournal } from "../../state/journal-records.ts";
import type { TakenSession } from "../../stores/session-store.ts";
import type { ResumeDecision } from "../../../schemas/types.ts";
import { openQueue, orders, type Orders } from "./orders.ts";
import { notesIn, setupOf } from "./world.ts";

/** The run of a session that was taken: begun, resumed or recovered, whichever its journal says. */
export async function goOn(setup: RunSetup, taken: TakenSession): Promise<Run> {
  const records = await taken.read();
  const snapshot = records.length > 0 ? foldJournal(records) : undefined;
  const decisions = taken.jobs.findLast(isDecision)?.decisions;
  const run = { ...setup, journal: taken };
  if (!snapshot) return agentLoop({ ...run, session: initSession({ id: taken.id, user: "Begin." }) });
  if (snapshot.phase === "suspended" && decisions) return resume({ ...run, snapshot, decisions });
  return recover(run);
}

function isDecision(job: unknown): job is { decisions: ResumeDecision[] } {
  return typeof job === "object" && job !== null && "decisions" in job;
}

/** Takes runs until the process is killed. */
async function work({ pace, atOnce, notes: file, ...place }: Orders): Promise<never> {
  const notes = notesIn(file);
  const { store } = await openQueue(place);
  let busy = 0;

  async function visit(taken: TakenSession): Promise<void> {
    try {
      const result = await (await goOn(setupOf(taken.id, pace, notes), taken)).result;
      const { phase } = foldJournal(await taken.read());
      // What the journal does not have has not happened: then the jobs are not done, and the run has to be taken again.
      if (phase !== (result.status === "suspended" ? "suspended" : "done")) throw new Error(result.error?.message);
      if (phase === "suspended") notes.add("pending", taken.id, "", { pending: result.pending ?? [] });
      await taken.done();
      if (phase === "done") notes.add("done", taken.id, result.status);
    } catch (error) {
      notes.add("left", taken.id, String(error));
    } finally {
      await taken.close().catch(() => {});
      busy -= 1;
    }
  }

  notes.add("up", "", "");
  for (;;) {
    const taken = busy < atOnce ? await store.take().catch(() => undefined) : undefined;
    if (!taken) await sleep(20 + Math.random() * 40);
    else {
      busy += 1;
      void visit(taken);
    }
  }
}

if (import.meta.main) {
  process.stdin.resume().once("end", () => process.exit(1)); // ends with its parent
  await work(orders());
}
