// Says which process holds something, in a way by which another process can tell whether that one is still there.

import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/** `started` tells two processes with one id apart, where the system says when a process was started. */
export interface ProcessMark {
  pid: number;
  host: string;
  started?: string;
}

/** The mark of this process. */
export function thisProcess(): ProcessMark {
  const started = startOf(process.pid);
  return { pid: process.pid, host: hostname(), ...(started !== undefined && { started }) };
}

/**
 * Whether the process may still be there: false only if it certainly is not. A process of another machine always may.
 */
export function mayBeAlive({ pid, host, started }: ProcessMark): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH"; // EPERM: it is there, and somebody else's
  }
  const now = startOf(pid);
  return started === undefined || now === undefined || now === started;
}

export function describe({ pid, host }: ProcessMark): string {
  return `process ${pid} on ${host}`;
}

/** The boot of the machine, and in clock ticks since then the start of the process; undefined where there is no /proc. */
function startOf(pid: number): string | undefined {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the name of the program, which may have blanks and brackets in it.
    return `${boot} ${stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]}`;
  } catch {
    return undefined;
  }
}
