// Identifies a process, so that another process can tell whether it is still alive.

import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** `started` distinguishes two processes with the same id, `space` two containers with the same name, where the system has them. */
export interface ProcessMark {
  pid: number;
  host: string;
  space?: string;
  started?: string;
}

/** The mark of this process. */
export function thisProcess(): ProcessMark {
  const started = startOf(process.pid);
  const space = spaceOfIds();
  return {
    pid: process.pid,
    host: hostname(),
    ...(space !== undefined && { space }),
    ...(started !== undefined && { started }),
  };
}

/**
 * Whether the process may still be alive: false only if it certainly is not. A process of another host, or of another container,
 * always may be.
 */
export function mayBeAlive({ pid, host, space, started }: ProcessMark): boolean {
  if (host !== hostname() || space !== spaceOfIds()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH"; // EPERM: alive, but of another user
  }
  const now = startOf(pid);
  return started === undefined || now === undefined || now === started;
}

export function describe({ pid, host }: ProcessMark): string {
  return `process ${pid} on ${host}`;
}

/** Where ids of processes mean what they mean here; undefined without /proc. */
function spaceOfIds(): string | undefined {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return undefined;
  }
}

/** The boot id of the host, and the start of the process in clock ticks since boot; undefined without /proc. */
function startOf(pid: number): string | undefined {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the name of the program, which may contain blanks and parentheses.
    return `${boot} ${stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]}`;
  } catch {
    return undefined;
  }
}
