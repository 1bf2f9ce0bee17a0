// Measures what a process still holds of runs that have ended, whatever became of their calls.

import { getEventListeners } from "node:events";
import { setImmediate as macrotask } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { agentLoop } from "../run/run.ts";
import { fates, pathOf, type Fate } from "./kept-server.ts";
import { DONE, TASK, type Transport, type Wire } from "./turn-script.ts";
import { measured } from "./wires.ts";
import type { Provider } from "../core/ports.ts";

/** What is measured: so many runs of one model call each, on one wire. */
export interface KeptTask {
  wire: Wire;
  transport: Transport;
  calls: number;
  /** The server's. */
  url: string;
}

/** What was still held when all runs had ended and garbage was collected. */
export interface Kept {
  /** Bytes for each call, on the heap and in buffers. */
  bytes: number;
  /** Listeners of a signal that all runs were given. */
  listeners: number;
  /** Open sockets, and how many there were when the counting began. */
  sockets: number;
  socketsBefore: number;
  /** How often each fate ended in which status. */
  endings: Record<string, number>;
}

/** How many runs go on at once, and how many pass before the counting begins: until then caches and pools fill. */
const AT_ONCE = 40;
const WARMUPS = 1000;
/** Of so many calls, each fault meets one, and one is cancelled as soon as it is made. */
const ROUND = 20;

/** @throws Error if an answered call did not complete: then nothing was measured */
export async function measureKept({ wire, transport, calls, url }: KeptTask): Promise<Kept> {
  const { signal } = new AbortController();
  const providerOf = (fate: Fate) =>
    measured[wire].adapter({ model: "m", max_tokens: 9, transport, url: url + pathOf(fate, wire, transport) });
  const all = Object.fromEntries(fates.map((fate) => [fate, providerOf(fate)])) as Record<Fate, Provider>;
  await runMany(all, signal, WARMUPS, {});
  const endings: Kept["endings"] = {};
  const socketsBefore = sockets();
  const before = await held();
  await runMany(all, signal, calls, endings);
  const bytes = ((await held()) - before) / calls;
  return { bytes, listeners: getEventListeners(signal, "abort").length, sockets: sockets(), socketsBefore, endings };
}

async function runMany(
  all: Record<Fate, Provider>,
  signal: AbortSignal,
  calls: number,
  endings: Kept["endings"],
): Promise<void> {
  for (let begun = 0; begun < calls; begun += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => runOne(all, signal, i % ROUND, endings)));
  }
}

async function runOne(
  all: Record<Fate, Provider>,
  signal: AbortSignal,
  place: number,
  endings: Kept["endings"],
): Promise<void> {
  const fate = fates[place] ?? "answered";
  const run = agentLoop({ provider: all[fate], input: TASK, options: { max_retries: 0 }, signal });
  if (fate === "stalled") setTimeout(() => run.cancel(), 20);
  const isLeft = place === fates.length;
  if (isLeft) run.cancel();
  const { status, final_text } = await run.result;
  if (fate === "answered" && !isLeft && final_text !== DONE) throw new Error(`an answered call ended with ${status}`);
  const ending = `${isLeft ? "left" : fate} ${status}`;
  endings[ending] = (endings[ending] ?? 0) + 1;
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** The bytes that are held once nothing more is freed by collecting; finalizers run between two collections. */
async function held(): Promise<number> {
  let least = Infinity;
  let inVain = 0;
  while (inVain < 4) {
    await macrotask();
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    // A little is always being freed; what calls leave behind is more.
    const isFreeing = heapUsed + arrayBuffers < least - 10_000;
    inVain = isFreeing ? 0 : inVain + 1;
    least = Math.min(least, heapUsed + arrayBuffers);
  }
  return least;
}

function sockets(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === "TCPSocketWrap").length;
}

// As a process: does the one task that it is sent, and ends with its parent.
if (import.meta.main) {
  process.on("disconnect", () => process.exit());
  process.on("message", (task: KeptTask) => {
    const report = (answer: Kept | { failure: string }) => process.send?.(answer, () => process.disconnect());
    measureKept(task).then(report, (thrown) => report({ failure: String(thrown) }));
  });
}
