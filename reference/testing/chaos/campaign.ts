// A campaign: runs on two workers that are killed and stopped at random moments, and what came of every run.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { foldJournal } from "../../state/journal-records.ts";
import { openQueue, type Orders } from "./orders.ts";
import { verdictOn, type RunFound, type Verdict } from "./verdict.ts";
import { notesIn, type Blows } from "./world.ts";

export interface Plan {
  /** The file of notes. */
  notes: string;
  /** For how long a worker is stopped, in milliseconds. */
  freezeMs: number;
  kills: number;
  freezes: number;
  /** How many runs are open at once. */
  wave: number;
  /** The average time between two blows, in milliseconds. */
  everyMs: number;
  /** After which it gives up, in milliseconds. */
  mostMs: number;
}

/** Who goes on with runs: workers on a store, or on an engine. */
export interface Side {
  /** Has a run wait for a worker. */
  begin(run: string): Promise<void>;
  /** A process that ends with this one; the number of a worker is always that of the one that it replaces. */
  start(program: "worker" | "approver", number: number): ChildProcess;
  found(run: string): Promise<RunFound>;
  end(): Promise<void>;
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

/** How long who asks for runs waits for a database, in milliseconds: a worker may be stopped while it writes there. */
const patienceMs = 60_000;

/** Workers on a store. */
export async function storeSide(orders: Orders): Promise<Side> {
  const { store, end } = await openQueue({ ...orders, leaseMs: patienceMs });
  return {
    end,
    begin: (run) => store.enqueue(run, "begin"),
    start: (name) => startProcess(name, orders),
    async found(run) {
      const records = await store.read(run);
      return { run, ...(records.length > 0 && { snapshot: foldJournal(records) }) };
    },
  };
}

/** Strikes until all blows are dealt, and waits until every run has ended. */
export async function campaign(side: Side, plan: Plan): Promise<Report> {
  const { kills, freezes, freezeMs, wave, everyMs, mostMs } = plan;
  const notes = notesIn(plan.notes);
  const workers = [0, 1].map((number) => side.start("worker", number));
  const approver = side.start("approver", 0);
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
    workers[at] = side.start("worker", at);
  }
  async function freeze(at: number): Promise<void> {
    const worker = workers[at]!;
    worker.kill("SIGSTOP");
    frozen.set(worker.pid!, now());
    await sleep(freezeMs);
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
        await side.begin(runs.at(-1)!);
      }
      await sleep(100);
    }
    const found = await Promise.all(runs.map((run) => side.found(run)));
    const seconds = Math.round((performance.now() - begun) / 1000);
    const verdict = await verdictOn(found, notes.read(), { died, frozen });
    return { kills: died.size, freezes: frozen.size, seconds, ...verdict };
  } finally {
    for (const process of [...workers, approver]) {
      process.kill("SIGCONT");
      process.kill("SIGKILL");
    }
    await side.end();
    await Promise.race([striking, sleep(0)]);
  }
}

/** One line for people. */
export function reportInWords(report: Report): string {
  const { kills, freezes, seconds, runs, lost, twice, unreported, changed, atOnce, interrupted, handovers } = report;
  const faults = { lost, twice, "not reported": unreported, "other sessions": changed, "at once": atOnce };
  const found = Object.entries(faults).map(([name, list]) =>
    `${list.length} ${name} ${list.slice(0, 5).join(", ")}`.trimEnd(),
  );
  return `${kills} kills, ${freezes} freezes, ${runs} runs in ${seconds} s: ${found.join(", ")}; ${interrupted} interrupted and reported, ${handovers} handovers`;
}
