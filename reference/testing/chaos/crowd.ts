// Many runs at once on two workers: all of them end, also if the workers are killed while every run waits for approval.

import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { foldJournal } from "../../state/journal-records.ts";
import { startProcess } from "./campaign.ts";
import { openQueue, type Orders } from "./orders.ts";
import { verdictOn, type RunFound, type Verdict } from "./verdict.ts";
import { notesIn, type Note } from "./world.ts";

export interface Crowd extends Orders {
  runs: number;
  /** Whether the workers are killed when all runs are suspended; else each is approved as soon as it waits. */
  isKilled: boolean;
}

export interface CrowdReport extends Verdict {
  /** Until all were suspended, and from the approval to the last end. */
  seconds: number[];
  /** Resident memory of both workers, in megabytes: with all runs suspended, and after a restart. */
  megabytes: number[];
  recordsPerTurn: number;
}

const TURNS_OF_A_RUN = 12;

export async function crowd({ runs: count, isKilled, ...orders }: Crowd): Promise<CrowdReport> {
  const { store, end } = await openQueue(orders);
  const notes = notesIn(orders.notes);
  const start = () => [startProcess("worker", orders), startProcess("worker", orders)];
  let workers = start();
  const megabytes: number[] = [];
  const measure = () => void megabytes.push(Math.round(workers.reduce((sum, { pid }) => sum + memoryOf(pid!), 0)));
  const noted = (kind: Note["kind"]) =>
    new Map(notes.read().flatMap((one) => (one.kind === kind ? [[one.run, one]] : [])));
  const until = async (kind: Note["kind"]): Promise<number> => {
    const from = performance.now();
    while (noted(kind).size < count) await sleep(200);
    return Math.round((performance.now() - from) / 100) / 10;
  };
  const approve = async ({ run, pending = [] }: Note) =>
    store.enqueue(run, { decisions: pending.map(({ id, input_hash }) => ({ id, action: "approve", input_hash })) });

  try {
    const runs = Array.from({ length: count }, (_, i) => `run-${i}`);
    for (const run of runs) await store.enqueue(run, "begin");
    const approver = isKilled ? undefined : startProcess("approver", orders);
    const seconds = [await until("pending")];
    measure();
    if (isKilled) {
      for (const worker of workers) worker.kill("SIGKILL");
      workers = start();
      while (notes.read().filter(({ kind }) => kind === "up").length < 4) await sleep(50);
      measure();
      for (const note of noted("pending").values()) await approve(note);
    }
    seconds.push(await until("done"));
    approver?.kill("SIGKILL");
    const found: RunFound[] = [];
    let written = 0;
    for (const run of runs) {
      const records = await store.read(run);
      written += records.length;
      found.push({ run, ...(records.length > 0 && { snapshot: foldJournal(records) }) });
    }
    const verdict = await verdictOn(found, notes.read(), { died: new Map(), frozen: new Map() });
    const recordsPerTurn = Math.round((100 * written) / count / TURNS_OF_A_RUN) / 100;
    return { ...verdict, seconds, megabytes, recordsPerTurn };
  } finally {
    for (const worker of workers) worker.kill("SIGKILL");
    await end();
  }
}

/** Resident memory, in megabytes; 0 where the system has no such file. */
function memoryOf(pid: number): number {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes ?? 0) / 1024;
  } catch {
    return 0;
  }
}
