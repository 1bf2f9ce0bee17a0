// How long the machine has let processes wait for a processor: time in which they could not do anything.

import { readFileSync } from "node:fs";

/**
 * The milliseconds, since they began, in which these processes were ready to run and did not run, summed. A process that waits for
 * something else, or works, is not held up. 0 where the system does not say: only Linux does, of the first thread of each.
 */
export function heldUpMs(pids: readonly (number | undefined)[]): number {
  return pids.reduce((sum: number, pid) => sum + (pid === undefined ? 0 : waitedMs(pid)), 0);
}

function waitedMs(pid: number): number {
  try {
    const [, nanoseconds] = readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ");
    return Number(nanoseconds) / 1e6;
  } catch {
    // It has ended, or this is another system.
    return 0;
  }
}
