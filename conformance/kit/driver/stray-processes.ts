// Finds what a driver left outside its process group: on Linux by a mark in its environment, and by the streams that it shares.

import { randomUUID } from "node:crypto";
import { readFileSync, readdirSync, readlinkSync } from "node:fs";

const name = "AGENT_LOOP_DRIVER";

/** How long a process may take to begin its program, in milliseconds, and after how many it is looked at again. */
const patienceMs = 100;
const pauseMs = 5;

/** What the processes of one driver have in common, unless they clear their environment and let go of its streams. */
export class Mark {
  readonly #id = randomUUID();
  readonly #streams = new Set<string>();
  #since = Infinity;

  /** What every process inherits that the driver starts. */
  get environment(): Readonly<Record<string, string>> {
    return { [name]: this.#id };
  }

  /**
   * Notes when the driver began, and the streams between it and the kit, right after the start: any other process that has them
   * inherited them from it. Of a driver that has ended by then nobody can say what its streams were.
   */
  noteLeader(pid: number): void {
    this.#since = startOf(pid);
    for (const stream of streamsOf(pid)) if (/^(pipe|socket):/.test(stream)) this.#streams.add(stream);
  }

  /**
   * Kills every process that bears the mark or has one of these streams. Where there is no /proc, none is found.
   * @see KIT-8
   */
  killBearers(patience = patienceMs): void {
    let unclear = pids();
    for (let left = patience; left >= 0; left -= pauseMs) {
      unclear = unclear.filter((pid) => this.#killIfBorneBy(pid) === "unclear");
      if (unclear.length === 0) return;
      pause(pauseMs);
    }
  }

  #killIfBorneBy(pid: number): "killed" | "spared" | "unclear" {
    // What was there before the driver has inherited nothing of it: that is nearly every process.
    if (startOf(pid) < this.#since) return "spared";
    const environment = textOf(`/proc/${pid}/environ`);
    if (environment?.includes(`${name}=${this.#id}`) || streamsOf(pid).some((stream) => this.#streams.has(stream))) {
      kill(pid);
      return "killed";
    }
    // Between its start and its program, a process shows no environment for a moment: on a busy machine, for a long one.
    return environment === "" && isProgram(pid) ? "unclear" : "spared";
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

/** Whether this is a process with a program, and not a thread of the system. */
function isProgram(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/exe`) !== "";
  } catch {
    return false;
  }
}

/** When a process started, in ticks of the system; -1 for one that has ended, even where nobody has waited for it yet. */
function startOf(pid: number): number {
  // The name of the program comes second, in brackets, and may have any character.
  const [state, ...fields] = (textOf(`/proc/${pid}/stat`) ?? "").split(") ").at(-1)!.split(" ");
  return state === "" || state === "Z" ? -1 : Number(fields[18]);
}

/** What a file of the system says; undefined where the process has ended meanwhile, or belongs to another user. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}

/** Waits without letting anything else happen: a process that ends cannot wait otherwise. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
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
