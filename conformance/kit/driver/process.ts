// Runs a driver as a child process: no shell, a process group of its own, a small environment, bounded output, a certain end.

import { isUtf8 } from "node:buffer";
import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { startFailure } from "./errors.ts";
import type { DriverCommand, DriverEnd, DriverExit, ProcessListener } from "./types.ts";
import { endGroup, signalGroup, startGroup } from "./process-group.ts";
import { TimeLimit, comesBefore } from "./time-limit.ts";

/** The longest line that the kit reads, in bytes. */
export const maxLineBytes = 16 * 1024 * 1024;
/** How much of the end of stderr is kept, in bytes. */
const keptStderr = 16 * 1024;
/** How long a process has to end by itself, and then after TERM, in milliseconds. */
const graceMs = 500;
/** How long stdout may stay open after the process has ended, in milliseconds. */
const drainMs = 200;
/** How long a process may live after it has closed its stdin or stdout, in milliseconds: more than an exit takes, less than a run is idle. */
const closedMs = 2000;

/** A driver process. Its end is always reported, exactly once, to `listener.exit`. */
export class DriverProcess implements DriverEnd {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #listener: ProcessListener;
  /** What is written at the end of this turn of the event loop. */
  #unsent = "";
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #isMute = true;
  #stderr: Buffer = Buffer.alloc(0);
  #exit: DriverExit | undefined;
  #hasClosed = false;
  /** Settles when the process has ended, whatever stdout still holds. */
  readonly #exiting = Promise.withResolvers<void>();
  #ended: () => void = () => undefined;
  /** Settles when the process and everything that it left in its group are gone. */
  readonly ended: Promise<void>;

  constructor(command: DriverCommand, listener: ProcessListener) {
    this.#listener = listener;
    this.ended = new Promise((resolve) => (this.#ended = resolve));
    const [program, ...args] = command.argv;
    this.#child = startGroup((marked) => {
      const options = {
        cwd: command.cwd,
        env: { ...smallEnvironment(), ...command.env, ...marked },
        detached: true,
      } as const;
      return spawn(program === "node" ? process.execPath : program, args, options);
    });
    this.#child.stdout.on("data", (bytes: Buffer) => this.#receive(bytes));
    this.#child.stdout.on("end", () => void this.#closed("stdout"));
    this.#child.stderr.on("data", (bytes: Buffer) => this.#keep(bytes));
    this.#child.stdin.on("error", () => void this.#closed("stdin"));
    this.#child.on("error", (error) =>
      this.#finish({ code: null, signal: null, spawnError: startFailure(program, error) }),
    );
    this.#child.on("exit", (code, signal) => void this.#afterExit(code, signal));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get stderr(): string {
    return this.#stderr.subarray(-keptStderr).toString("utf8");
  }

  get silence(): string {
    const half = this.#halfLine.slice(0, 200);
    if (half !== "") return `; stdout has a line without a line break: ${half}`;
    return this.#isMute ? "; stdout was empty: a driver ends each message with a line break, and flushes" : "";
  }

  get #halfLine(): string {
    return Buffer.concat(this.#pending).toString("utf8");
  }

  get exit(): DriverExit | undefined {
    return this.#exit;
  }

  /** What is written in one go is sent in one go: to write to a pipe costs more than the message. */
  write(line: string): void {
    if (this.#unsent === "") process.nextTick(() => this.#flush());
    this.#unsent += `${line}\n`;
  }

  /** Closes stdin, then TERM, then KILL for the whole group, each after a short grace. */
  async stop(): Promise<DriverExit | undefined> {
    if (await this.endsWithoutInput(graceMs)) return this.#exit;
    await this.kill();
    return undefined;
  }

  /** Closes stdin; whether the process ends of it within so many milliseconds. */
  async endsWithoutInput(ms: number): Promise<boolean> {
    this.#flush();
    if (!this.#exit) this.#child.stdin.end();
    return await this.#endsWithin(ms);
  }

  /** TERM, and KILL for the whole group after a short grace. */
  async kill(): Promise<void> {
    const { pid } = this.#child;
    if (pid !== undefined && !this.#exit) {
      signalGroup(pid, "SIGTERM");
      if (!(await this.#endsWithin(graceMs))) signalGroup(pid, "SIGKILL");
    }
    await this.ended;
  }

  #flush(): void {
    const { stdin } = this.#child;
    if (this.#unsent !== "" && !this.#exit) stdin.write(this.#unsent);
    this.#unsent = "";
  }

  #endsWithin(ms: number): Promise<boolean> {
    return comesBefore(this.ended, new TimeLimit(ms), this.pid);
  }

  #receive(bytes: Buffer): void {
    this.#isMute = false;
    let start = 0;
    for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, start)) {
      const rest = bytes.subarray(start, at);
      start = at + 1;
      if (!this.#hold(rest)) return;
      const line = this.#takePending();
      const text = line.toString("utf8");
      if (!isUtf8(line))
        this.#listener.unreadable("a line is not UTF-8; a driver writes JSON in UTF-8 to stdout", text);
      else if (text.trim() !== "") this.#listener.line(text);
    }
    this.#hold(bytes.subarray(start));
  }

  /** A driver that floods stderr gets no backpressure: a chunk as large as the buffer replaces it without being scanned. */
  #keep(bytes: Buffer): void {
    const isEnough = bytes.length >= keptStderr;
    this.#stderr = isEnough ? bytes : Buffer.concat([this.#stderr.subarray(-keptStderr), bytes]);
  }

  #hold(bytes: Buffer): boolean {
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes > maxLineBytes) {
      const start = this.#takePending().subarray(0, 200).toString("utf8");
      this.#child.stdout.destroy();
      this.#listener.unreadable(`a line is longer than ${maxLineBytes} bytes`, start);
      return false;
    }
    if (bytes.length > 0) this.#pending.push(bytes);
    return true;
  }

  #takePending(): Buffer {
    const [only, ...others] = this.#pending;
    const line = only !== undefined && others.length === 0 ? only : Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    return line;
  }

  /** An exiting process closes its streams too; one that keeps running without them can no longer communicate. */
  async #closed(stream: "stdin" | "stdout"): Promise<void> {
    if (this.#hasClosed) return;
    this.#hasClosed = true;
    if (await comesBefore(this.#exiting.promise, new TimeLimit(closedMs), this.pid)) return;
    this.#listener.unreadable(`the driver closed its ${stream}, and kept running`, this.#halfLine);
  }

  /** What the process left behind is killed, which also closes stdout; then what stdout still holds is read. */
  async #afterExit(code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    this.#exiting.resolve();
    endGroup(this.#child.pid!);
    const drained = new Promise<void>((resolve) => this.#child.once("close", () => resolve()));
    await comesBefore(drained, new TimeLimit(drainMs), this.pid);
    this.#finish({ code, signal });
  }

  #finish(exit: Omit<DriverExit, "halfLine">): void {
    if (this.#exit) return;
    this.#exit = { ...exit, halfLine: this.#takePending().toString("utf8") };
    this.#exiting.resolve();
    // Whatever still lives of it may hold them open for ever, and the kit with them.
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream.destroy();
    this.#listener.exit(this.#exit);
    this.#ended();
  }
}

/** How an exit reads: "exited with code 1", "was killed by SIGKILL". */
export function describeExit({ code, signal, spawnError, halfLine }: DriverExit): string {
  const how = spawnError ?? (signal ? `was killed by ${signal}` : `exited with code ${code}`);
  return halfLine === "" ? how : `${how} in the middle of the line ${halfLine.slice(0, 200)}`;
}

/** What a driver may know of its surroundings: nothing secret. The cache of Node's compiler lets one in TypeScript start sooner. */
function smallEnvironment(): NodeJS.ProcessEnv {
  const kept = ["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "NODE_COMPILE_CACHE", "SystemRoot", "USERPROFILE"];
  const compiled = getCompileCacheDir();
  return {
    // Each version of Node has its own folder in this one, and the kit sees only that.
    ...(compiled !== undefined && { NODE_COMPILE_CACHE: dirname(compiled) }),
    ...Object.fromEntries(kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
  };
}
