// Measures what a loop that was asked for nothing more costs beside one that has nothing more, in a process of its own.

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { getHeapStatistics } from "node:v8";
import { idleSubjects, type Converse, type IdleScenario } from "./idle-subjects.ts";
import { median } from "./paired.ts";

/** What a process is told to measure. */
export interface IdleTask {
  scenario: IdleScenario;
  /** How many times both loops are measured, one after the other, and how many times before that, while they are compiled. */
  pairs: number;
  warmups: number;
  /** Which loop is first, when it is compiled and in the first pair. */
  first: "whole" | "bare";
}

/** CPU time in microseconds and allocated bytes, or the ratio of either. */
export interface IdleCost {
  cpu: number;
  bytes: number;
}

/** About how many turns are measured at once: enough to be seen, few enough that both sides meet the same machine. */
const TURNS_AT_ONCE = 200;

/** The whole loop in multiples of the bare one: the medians of what the pairs say. */
export async function measureIdle({ scenario, pairs, warmups, first }: IdleTask): Promise<IdleCost> {
  const { whole, bare } = idleSubjects(scenario);
  const times = Math.ceil(TURNS_AT_ONCE / scenario.turns);
  const order = first === "whole" ? [whole, bare] : [bare, whole];
  const ratios: Record<keyof IdleCost, number[]> = { cpu: [], bytes: [] };
  for (let pair = -warmups; pair < pairs; pair += 1) {
    const costs = new Map<Converse, Awaited<ReturnType<typeof costOf>>>();
    for (const converse of order) costs.set(converse, await costOf(converse, times));
    order.reverse();
    const [one, other] = [costs.get(whole)!, costs.get(bare)!];
    if (pair < 0) continue;
    ratios.cpu.push(one.cpu / other.cpu);
    if (one.bytes && other.bytes) ratios.bytes.push(one.bytes / other.bytes);
  }
  return { cpu: median(ratios.cpu), bytes: median(ratios.bytes) };
}

/** Without bytes where garbage was collected in every conversation. */
async function costOf(converse: Converse, times: number): Promise<Pick<IdleCost, "cpu"> & Partial<IdleCost>> {
  const grown: number[] = [];
  let heap = getHeapStatistics().used_heap_size;
  const before = process.cpuUsage();
  for (let time = 0; time < times; time += 1) {
    await converse();
    const now = getHeapStatistics().used_heap_size;
    if (now > heap) grown.push(now - heap); // else garbage was collected meanwhile
    heap = now;
  }
  const { user, system } = process.cpuUsage(before);
  return { cpu: user + system, ...(grown.length > 0 && { bytes: median(grown) }) };
}

/** Does the same in a process of its own: how code is compiled differs from one to the next, and stays as it is within one. */
export async function measureIdleApart(task: IdleTask): Promise<IdleCost> {
  const child = fork(fileURLToPath(import.meta.url));
  return new Promise((resolve, reject) => {
    child.once("message", (said) => {
      if (typeof said === "string") reject(new Error(said));
      else resolve(said as IdleCost);
    });
    child.once("exit", (code, signal) => reject(new Error(`the measurement ended with ${signal ?? code}`)));
    child.send(task);
  });
}

// As a process: does the one task that it is sent, and ends with its parent.
if (import.meta.main) {
  process.on("disconnect", () => process.exit());
  process.on("message", (task: IdleTask) => {
    const tell = (said: IdleCost | string) => process.send?.(said, () => process.disconnect());
    measureIdle(task).then(tell, (thrown) => tell(String(thrown)));
  });
}
