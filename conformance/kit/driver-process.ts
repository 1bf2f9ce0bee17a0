// Runs a driver as a child process: no shell, a process group of its own, a small environment, bounded output, a certain end.

import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { StringDecoder } from "node:string_decoder";
import { endGroup, signalGroup, startGroup } from "./process-group.ts";

/** How to start a driver. */
export interface DriverCommand {
  /** Program and arguments. */
  argv: [string, ...string[]];
  /** Absent: the kit's own. */
  cwd?: string;
}

/** How a driver process ended. */
export interface DriverExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Why it could not be started, if it could not. */
  spawnError?: string;
  /** What stood on stdout after the last line break. */
  halfLine: string;
}

/** Who hears what the process does. */
export interface ProcessListener {
  line(line: string): void;
  /** A line that is longer than the kit reads. */
  tooLong(start: string, limit: number): void;
  exit(exit: DriverExit): void;
}

/** The longest line that the kit reads, in bytes. */
export const maxLineBytes = 16 * 1024 * 1024;
/** How much of stderr is kept, in characters. */
const keptStderr = 16 * 1024;
/** How long a process has to end by itself, and then after TERM, in milliseconds. */
const graceMs = 500;
/** How long stdout may stay open after the process has ended, in milliseconds. */
const drainMs = 200;

/** A driver process. Its end is always reported, exactly once, to `listener.exit`. */
export class DriverProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #listener: ProcessListener;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #stderr = "";
  #exit: DriverExit | undefined;
  #ended: () => void = () => undefined;
  /** Settles when the process and everything that it left in its group are gone. */
  readonly ended: Promise<void>;

  constructor(command: DriverCommand, listener: ProcessListener) {
    this.#listener = listener;
    this.ended = new Promise((resolve) => (this.#ended = resolve));
    const [program, ...args] = command.argv;
    const options = { cwd: command.cwd, env: smallEnvironment(), detached: true } as const;
    this.#child = startGroup(() => spawn(program === "node" ? process.execPath : program, args, options));
    const decoder = new StringDecoder("utf8");
    this.#child.stdout.on("data", (bytes: Buffer) => this.#receive(bytes));
    this.#child.stderr.on(
      "data",
      (bytes: Buffer) => (this.#stderr = (this.#stderr + decoder.write(bytes)).slice(-keptStderr)),
    );
    // The end of the process is reported by its exit; a broken pipe says nothing more.
    this.#child.stdin.on("error", () => undefined);
    this.#child.on("error", (error) =>
      this.#finish({ code: null, signal: null, spawnError: spawnMessage(program, error) }),
    );
    this.#child.on("exit", (code, signal) => this.#afterExit(code, signal));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** The end of what the driver wrote to stderr. */
  get stderr(): string {
    return this.#stderr;
  }

  get exit(): DriverExit | undefined {
    return this.#exit;
  }

  /** Writes one line. */
  write(line: string): void {
    if (!this.#exit) this.#child.stdin.write(`${line}\n`);
  }

  /** Closes stdin, then TERM, then KILL for the whole group, each after a short grace. */
  async stop(): Promise<void> {
    if (!this.#exit) this.#child.stdin.end();
    if (!(await this.#endsWithin(graceMs))) await this.kill();
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

  async #endsWithin(ms: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), ms);
    void this.ended.then(() => resolve(true));
    const ended = await promise;
    clearTimeout(timer);
    return ended;
  }

  #receive(bytes: Buffer): void {
    let start = 0;
    for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, start)) {
      const rest = bytes.subarray(start, at);
      start = at + 1;
      if (!this.#hold(rest)) return;
      const line = this.#takePending();
      if (line.trim() !== "") this.#listener.line(line);
    }
    this.#hold(bytes.subarray(start));
  }

  #hold(bytes: Buffer): boolean {
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes > maxLineBytes) {
      const start = this.#takePending().slice(0, 200);
      this.#child.stdout.destroy();
      this.#listener.tooLong(start, maxLineBytes);
      return false;
    }
    if (bytes.length > 0) this.#pending.push(bytes);
    return true;
  }

  #takePending(): string {
    const [only, ...others] = this.#pending;
    const line =
      only === undefined
        ? ""
        : others.length === 0
          ? only.toString("utf8")
          : Buffer.concat(this.#pending).toString("utf8");
    this.#pending = [];
    this.#pendingBytes = 0;
    return line;
  }

  /** What the process left in its group is killed, which also closes stdout; then what stdout still holds is read. */
  #afterExit(code: number | null, signal: NodeJS.Signals | null): void {
    endGroup(this.#child.pid!);
    const finish = () => {
      clearTimeout(timer);
      this.#finish({ code, signal });
    };
    const timer = setTimeout(finish, drainMs);
    this.#child.once("close", finish);
  }

  #finish(exit: Omit<DriverExit, "halfLine">): void {
    if (this.#exit) return;
    this.#exit = { ...exit, halfLine: this.#takePending() };
    this.#child.stdout.destroy();
    this.#listener.exit(this.#exit);
    this.#ended();
  }
}

/** How an exit reads: "exited with code 1", "was killed by SIGKILL". */
export function describeExit({ code, signal, spawnError, halfLine }: DriverExit): string {
  const how = spawnError ?? (signal ? `was killed by ${signal}` : `exited with code ${code}`);
  return halfLine === "" ? how : `${how} in the middle of the line ${halfLine.slice(0, 200)}`;
}

/** What a driver may know of its surroundings: nothing secret. */
function smallEnvironment(): NodeJS.ProcessEnv {
  const kept = ["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SystemRoot", "USERPROFILE"];
  return Object.fromEntries(
    kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

function spawnMessage(program: string, error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT")
    return `could not be started: there is no program ${program} on this machine (or no such folder to start it in)`;
  if (error.code === "EACCES") return `could not be started: ${program} is not executable`;
  return `could not be started: ${error.message}`;
}
