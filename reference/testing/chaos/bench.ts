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
import { openStore, storeKinds } from "../open-store.ts";
import { noPostgres } from "../postgres-server.ts";

interface Cost {
  /** Of a turn, in milliseconds: of the processor, in this process; and by the clock, of the fastest half of the runs. */
  cpu: number;
  time: number;
  appends: number;
  kilobytes: number;
}

const usage = "npm run bench:stores -- [--runs <n>]   runs of each store, 60 by default";
const values = readOptions(usage, { runs: { type: "string", default: "60" } });
if (!/^[1-9]\d*$/.test(values.runs)) refuse(usage, `Expected --runs to be a whole number from 1, got ${values.runs}.`);
const runs = Number(values.runs);
const none = await costOf(undefined);
console.log(row(["kept in", "time", "CPU", "appends a turn", "KB a turn"]));
console.log(row(["---", "---:", "---:", "---:", "---:"]));
console.log(row(["nothing", "1.0", "1.0", "0", "0"]));
for (const kind of storeKinds) {
  if (kind === "postgres" && noPostgres) console.log(row([kind, noPostgres]));
  else console.log(row([kind, ...inMultiples(await kept(kind))]));
}
console.log(
  `\n1.0 is ${none.time.toFixed(2)} ms a turn, ${none.cpu.toFixed(2)} ms of the processor, with a model and tools that take no time.`,
);

async function kept(kind: (typeof storeKinds)[number]): Promise<Cost> {
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  const { where, end: remove } = await placeFor(kind, folder);
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
  const fastest = times.toSorted((a, b) => a - b).slice(0, Math.ceil(runs / 2));
  return {
    cpu: (user + system) / 1000 / turns,
    time: fastest.reduce((sum, ms) => sum + ms, 0) / fastest.length / TURNS,
    appends: written.appends / turns,
    kilobytes: written.bytes / 1024 / turns,
  };
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

function inMultiples({ cpu, time, appends, kilobytes }: Cost): string[] {
  return [(time / none.time).toFixed(1), (cpu / none.cpu).toFixed(1), appends.toFixed(1), kilobytes.toFixed(1)];
}

function row(cells: string[]): string {
  return `| ${cells.join(" | ")} |`;
}
