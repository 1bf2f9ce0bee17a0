// Whether a process lives on, where /proc says so.

import { readFileSync } from "node:fs";

/** A process that has ended and that nobody has waited for yet has no command line any more. */
export function isAlive(pid: number | string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
  } catch {
    return false;
  }
}
