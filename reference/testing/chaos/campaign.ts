// A campaign: runs on two workers that are killed and stopped at random moments, and what came of every run.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { foldJournal } from "../../state/journal-records.ts";
import { openQueue, type Orders } from "./orders.ts";
import { verdictOn, type RunFound, type Verdict } from "./verdict.ts";
import { notesIn, type Blows } from "./world.ts";

export interface Plan extends Orders {
  kills: number;
  freezes: number;
  /** How many runs are open at once. */
  wave: number;
  /** The average time between two blows, in milliseconds. */
  everyMs: number;
  /** After which it gives up, in milliseconds. */
  mostMs: number;
}

/** What was done to the workers, and what came of it. */
export interface Report extends Verdict {
  kills: number;
  freezes: number;
  seconds: number;
}

const program = (name: string) => fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
const now = () => performance.timeOrigin + performance.now();

/** Starts a program that ends with this process. */
export function startProcess(name: "worker" | "approver", orders: Orders): ChildProcess {
  return spawn(process.execPath, [program(name), JSON.stringify(orders)], { stdio: ["pipe", "ignore", "inherit"] });
}

/** Strikes until all blows are dealt, and waits until every run has ended. */
export async function campaign({ kills, freezes, wave, everyMs, mostMs, ...orders }: Plan): Promise<Report> {
  const { store, end } = await openQueue(orders);
  const notes = notesIn(orders.notes);
  const workers = [startProcess("worker", orders), startProcess("worker", orders)];
  const approver = startProcess("approver", orders);
  const [died, frozen]: [Blows, Blows] = [new Map(), new Map()];
  const begun = performance.now();
  const runs: string[] = [];
  const doneRuns = () => new Set(notes.read().flatMap(({ kind, run }) => (kind === "done" ? [run] : [])));
  const blows = Array.from({ length: kills + freezes }, (_, i) => (isFreeze(i) ? freeze : kill));

  function isFreeze(i: number): boolean {
    return Math.floor(((i + 1) * freezes) / (kills + freezes)) > Math.floor((i * freezes) / (kills + freezes));
  }
  async function kill(at: number): Promise<void> {
    const worker = workers[at]!;
    worker.kill("SIGKILL");
    died.set(worker.pid!, now());
    await once(worker, "close");
    workers[at] = startProcess("worker", orders);
  }
  async function freeze(at: number): Promise<void> {
    const worker = workers[at]!;
    worker.kill("SIGSTOP");
    frozen.set(worker.pid!, now());
    await sleep(2 * orders.leaseMs);
    worker.kill("SIGCONT");
  }
  async function strike(): Promise<void> {
    while (!notes.read().some(({ kind }) => kind === "start")) await sleep(20);
    for (const blow of blows) {
      await sleep(everyMs * (0.4 + 1.2 * Math.random()));
      await blow(Math.floor(Math.random() * workers.length));
    }
  }

  let isOver = false;
  const striking = strike().then(() => (isOver = true));
  try {
    while (performance.now() - begun < mostMs) {
      const open = runs.length - doneRuns().size;
      if (isOver && open === 0) break;
      for (let missing = isOver ? 0 : wave - open; missing > 0; missing -= 1) {
        runs.push(`run-${runs.length}`);
        await store.enqueue(runs.at(-1)!, "begin");
      }
      await sleep(100);
    }
    const found = await Promise.all(
      runs.map(async (run): Promise<RunFound> => {
        const records = await store.read(run);
        return { run, ...(records.length > 0 && { snapshot: foldJournal(records) }) };
      }),
    );
    const seconds = Math.round((performance.now() - begun) / 1000);
    const verdict = await verdictOn(found, notes.read(), { died, frozen });
    return { kills: died.size, freezes: frozen.size, seconds, ...verdict };
  } finally {
    for (const process of [...workers, approver]) {
      process.kill("SIGCONT");
      process.kill("SIGKILL");
    }
    await end();
    await Promise.race([striking, sleep(0)]);
  }
}
