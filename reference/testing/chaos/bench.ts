// What it costs to keep a run: whole runs of twelve turns in each store, as multiples of the same run that is not kept.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { readOptions, refuse } from "../../bench/options.ts";
import { agentLoop, resume } from "../../run/run.ts";
import { initSession } from "../../core/session.ts";
import type { OpenSession } from "../../stores/session-store.ts";
import { placeFor } from "./place.ts";
import { setupOf, TURNS } from "./world.ts";
import { collectGarbage } from "../collect-garbage.ts";
import { openStore, storeKinds } from "../open-store.ts";
import { noPostgres } from "../postgres-server.ts";

interface Cost {
  /** Of a turn, in milliseconds: of the processor, in this process; and by the clock, of the fastest half of the runs. */
  cpu: number;
  time: number;
  appends: number;
  kilobytes: number;
  /** Of the heap of this process, in kilobytes: what a run that is under way holds, and the most that was seen at once. */
  held: number;
  most: number;
}

const usage = "npm run bench:stores -- [--runs <n>]   runs of each store, 60 by default";
const values = readOptions(usage, { runs: { type: "string", default: "60" } });
if (!/^[1-9]\d*$/.test(values.runs)) refuse(usage, `Expected --runs to be a whole number from 1, got ${values.runs}.`);
const runs = Number(values.runs);
const none = await costOf(undefined);
console.log(row(["kept in", "time", "CPU", "heap held", "heap at most", "appends a turn", "KB a turn"]));
console.log(row(["---", "---:", "---:", "---:", "---:", "---:", "---:"]));
console.log(row(["nothing", "1.0", "1.0", "1.0", "1.0", "0", "0"]));
for (const kind of storeKinds) {
  if (kind === "postgres" && noPostgres) console.log(row([kind, noPostgres]));
  else console.log(row([kind, ...inMultiples(await kept(kind))]));
}
if (!noPostgres) console.log(row(["postgres, fsync off", ...inMultiples(await kept("postgres", false))]));
console.log(
  `\n1.0 is ${none.time.toFixed(2)} ms a turn, ${none.cpu.toFixed(2)} ms of the processor, ${none.held.toFixed(0)} KB held and ${none.most.toFixed(0)} KB at most, with a model and tools that take no time.`,
);

async function kept(kind: (typeof storeKinds)[number], isDurable = true): Promise<Cost> {
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  const { where, end: remove } = await placeFor(kind, folder, isDurable);
  const { store, end } = await openStore(kind, where);
  try {
    return await costOf((id) => store.open(id));
  } finally {
    await end();
    await remove();
    await rm(folder, { recursive: true, force: true });
  }
}

async function costOf(open: ((id: string) => Promise<OpenSession>) | undefined): Promise<Cost> {
  const written = { appends: 0, bytes: 0 };
  for (let i = 0; i < 10; i += 1) await oneRun(`warm-${i}`, open, written);
  Object.assign(written, { appends: 0, bytes: 0 });
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let i = 0; i < runs; i += 1) {
    const from = performance.now();
    await oneRun(`run-${i}`, open, written);
    times.push(performance.now() - from);
  }
  const { user, system } = process.cpuUsage(before);
  const turns = runs * TURNS;
  const { held, most } = await heapOf(open);
  const fastest = times.toSorted((a, b) => a - b).slice(0, Math.ceil(runs / 2));
  return {
    cpu: (user + system) / 1000 / turns,
    time: fastest.reduce((sum, ms) => sum + ms, 0) / fastest.length / TURNS,
    appends: written.appends / turns,
    kilobytes: written.bytes / 1024 / turns,
    held,
    most,
  };
}

/** What runs that are suspended hold, each, and the most that all of them needed until then. */
async function heapOf(open: ((id: string) => Promise<OpenSession>) | undefined): Promise<Pick<Cost, "held" | "most">> {
  const count = 50;
  const heap = () => process.memoryUsage().heapUsed / 1024;
  const ids = Array.from({ length: count }, (_, i) => `held-${i}`);
  collectGarbage();
  const before = heap();
  let highest = before;
  const watch = setInterval(() => (highest = Math.max(highest, heap())), 1);
  const waiting = await Promise.all(ids.map((id) => suspended(id, open)));
  clearInterval(watch);
  highest = Math.max(highest, heap());
  collectGarbage();
  const held = (heap() - before) / count;
  for (const { session } of waiting) await session?.close();
  return { held, most: (highest - before) / count };
}

async function oneRun(
  id: string,
  open: ((id: string) => Promise<OpenSession>) | undefined,
  written: { appends: number; bytes: number },
): Promise<void> {
  const session = await open?.(id);
  const journal = session && {
    read: () => session.read(),
    append: async (...[records, at]: Parameters<OpenSession["append"]>) => {
      written.appends += 1;
      written.bytes += JSON.stringify(records).length;
      await session.append(records, at);
    },
  };
  const setup = {
    ...setupOf(id, { model: 0, slow: 0, quick: 0 }, { add: () => {} }, async () => {}),
    ...(journal && { journal }),
  };
  let run = agentLoop({ ...setup, session: initSession({ id, user: "Begin." }) });
  for (let result = await run.result; result.status === "suspended"; result = await run.result) {
    const decisions = result.pending!.map(({ id, input_hash = "" }) => ({
      id,
      action: "approve" as const,
      input_hash,
    }));
    run = resume({ ...setup, snapshot: result.snapshot!, decisions });
  }
  await session?.close();
}

/** A run that waits for approval, with all that its process keeps of it. */
async function suspended(id: string, open: ((id: string) => Promise<OpenSession>) | undefined) {
  const session = await open?.(id);
  const setup = {
    ...setupOf(id, { model: 0, slow: 0, quick: 0 }, { add: () => {} }, async () => {}),
    ...(session && { journal: session }),
  };
  const run = agentLoop({ ...setup, session: initSession({ id, user: "Begin." }) });
  await run.result;
  return { run, session };
}

function inMultiples({ cpu, time, held, most, appends, kilobytes }: Cost): string[] {
  const multiples = [time / none.time, cpu / none.cpu, held / none.held, most / none.most];
  return [...multiples, appends, kilobytes].map((number) => number.toFixed(1));
}

function row(cells: string[]): string {
  return `| ${cells.join(" | ")} |`;
}
