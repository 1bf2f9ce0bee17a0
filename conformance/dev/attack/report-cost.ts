// Loaded into the server under attack before it starts: reports to its parent what it holds, after a collection of garbage, and how busy it was.

import { monitorEventLoopDelay } from "node:perf_hooks";

/** What the server holds. */
export interface Cost {
  heapBytes: number;
  /** Sockets, timers and the like that keep it alive. */
  handles: number;
  /** How long it has computed since it was asked last. */
  computedMs: number;
  /** The longest time since it was asked last in which it looked at no request. */
  stillMs: number;
}

const delay = monitorEventLoopDelay({ resolution: 20 });
delay.enable();
let computedBefore = computed();

function computed(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

process.on("message", (message) => {
  if (message !== "cost") return;
  const computedMs = computed() - computedBefore;
  const stillMs = delay.max / 1e6;
  globalThis.gc?.();
  const cost: Cost = {
    heapBytes: process.memoryUsage().heapUsed,
    handles: process.getActiveResourcesInfo().length,
    computedMs,
    stillMs,
  };
  process.send!(cost);
  delay.reset();
  computedBefore = computed();
});
process.on("disconnect", () => process.exit());
