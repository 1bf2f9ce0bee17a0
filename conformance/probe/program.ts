// Runs an agent program once, as a user would: a small environment, a folder and a HOME of its own, a time limit, and a certain end.

import { spawn } from "node:child_process";
import { constants } from "node:os";
import { endGroup, signalGroup, startGroup } from "../kit/driver/process-group.ts";
import { TimeLimit, comesBefore } from "../kit/driver/time-limit.ts";
import { StartError } from "../traffic/record/run-program.ts";

/** How a program is run. */
export interface ProgramStart {
  command: readonly string[];
  folder: string;
  environment: Readonly<Record<string, string>>;
  timeoutMs: number;
}

/** How a program ended. */
export interface ProgramEnd {
  /** Its exit code; 128 and the number of the signal where one ended it. */
  code: number;
  /** The time limit ended it. */
  timedOut: boolean;
  stdout: string;
  stderr: string;
  durationMs: number;
}

/** How much of each stream is kept, in characters: its end. */
const keptOutput = 200_000;

/** How long is waited for what a program wrote last, in milliseconds, where something that it has left behind keeps its streams open. */
const lastWordsMs = 2000;

/** A program that runs. */
export class Program {
  readonly #start: ProgramStart;
  readonly #child: ReturnType<typeof spawn>;
  readonly #began = performance.now();
  readonly #output = { stdout: "", stderr: "" };
  /** How it ended, with everything that it started gone. Rejects with a StartError if there is no such program. */
  readonly ended: Promise<ProgramEnd>;

  constructor(start: ProgramStart) {
    this.#start = start;
    const [file = "", ...args] = start.command;
    this.#child = startGroup((marked) =>
      spawn(file === "node" ? process.execPath : file, args, {
        cwd: start.folder,
        env: { ...start.environment, ...marked },
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
    for (const name of ["stdout", "stderr"] as const)
      this.#child[name]?.setEncoding("utf8").on("data", (text: string) => {
        this.#output[name] = (this.#output[name] + text).slice(-keptOutput);
      });
    this.ended = this.#end(file);
  }

  /** Whether it has not ended yet. */
  get isRunning(): boolean {
    const { pid, exitCode, signalCode } = this.#child;
    return pid !== undefined && exitCode === null && signalCode === null;
  }

  /** Sends a signal as a terminal or a supervisor does: Ctrl-C reaches everything that the program started, the others only itself. */
  signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    if (signal === "SIGINT") signalGroup(pid, signal);
    else this.#child.kill(signal);
  }

  /** Ends the program and everything that it started, at once. */
  kill(): void {
    const { pid } = this.#child;
    if (pid !== undefined) endGroup(pid);
  }

  async #end(file: string): Promise<ProgramEnd> {
    const { promise: exited, resolve, reject } = Promise.withResolvers<number>();
    const { pid } = this.#child;
    this.#child.once("error", ({ code, message }: NodeJS.ErrnoException) =>
      reject(
        new StartError(`${file} could not be started: ${code === "ENOENT" ? "there is no such program" : message}`),
      ),
    );
    this.#child.once("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal!]));
    const closed = new Promise<void>((done) => this.#child.once("close", () => done()));
    try {
      const timedOut = !(await comesBefore(exited, new TimeLimit(this.#start.timeoutMs), pid));
      if (timedOut) this.kill();
      const code = await exited;
      const durationMs = performance.now() - this.#began;
      if (pid !== undefined) endGroup(pid);
      await comesBefore(closed, new TimeLimit(lastWordsMs), pid);
      return { code, timedOut, ...this.#output, durationMs };
    } finally {
      if (pid !== undefined) endGroup(pid);
    }
  }
}
