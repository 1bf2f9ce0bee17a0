// Finds what a driver left outside its process group: on Linux by a mark in its environment, and by the streams that it shares.

import { randomUUID } from "node:crypto";
import { readFileSync, readdirSync, readlinkSync } from "node:fs";

const name = "AGENT_LOOP_DRIVER";

/** What the processes of one driver have in common, unless they clear their environment and let go of its streams. */
export class Mark {
  readonly #id = randomUUID();
  readonly #streams = new Set<string>();

  /** What every process inherits that the driver starts. */
  get environment(): Readonly<Record<string, string>> {
    return { [name]: this.#id };
  }

  /** Notes the streams between process and kit, right after the start: any other process that has them inherited them from it. */
  noteStreamsOf(pid: number): void {
    for (const stream of streamsOf(pid)) if (/^(pipe|socket):/.test(stream)) this.#streams.add(stream);
  }

  /**
   * Kills every process that bears the mark or has one of these streams. Where there is no /proc, none is found.
   * @see KIT-8
   */
  killBearers(): void {
    for (const pid of pids()) {
      if (!this.#isBorneBy(pid)) continue;
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended meanwhile.
      }
    }
  }

  #isBorneBy(pid: number): boolean {
    if (streamsOf(pid).some((stream) => this.#streams.has(stream))) return true;
    try {
      return readFileSync(`/proc/${pid}/environ`, "latin1").includes(`${name}=${this.#id}`);
    } catch {
      // It has exited meanwhile, or belongs to another user.
      return false;
    }
  }
}

/** What stdin, stdout and stderr of a process are connected with. */
function streamsOf(pid: number): string[] {
  return [0, 1, 2].flatMap((stream) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${stream}`)];
    } catch {
      return [];
    }
  });
}

function pids(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}
