// Runs one program to its end, in a time limit, as a group of its own: nothing of it is left behind.

import { spawn } from "node:child_process";

/** What a program came to. */
export interface ChildEnd {
  /** Null: it did not end in time. */
  exit: number | null;
  stdout: string;
  stderr: string;
}

/** What is run, and where. */
export interface ChildOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  /** Ends it before its time. */
  signal?: AbortSignal | undefined;
  /** Called with what it writes to stderr, as it comes. */
  onStderr?(text: string): void;
}

/** How long one that was asked to end has for its last words, in milliseconds. */
const graceMs = 10_000;
/** What is kept of its output, in characters. */
const most = 20_000;

/** Runs it. What is beyond its time is asked to end, and then killed. */
export function runChild(command: readonly string[], options: ChildOptions): Promise<ChildEnd> {
  const [program, ...args] = command;
  const { cwd, env, timeoutMs, signal, onStderr } = options;
  return new Promise((resolve) => {
    const child = spawn(program!, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    const output = { stdout: "", stderr: "" };
    let isLate = false;
    const end = (name: NodeJS.Signals) => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, name);
      } catch {
        // It has ended by itself.
      }
    };
    const stop = () => {
      isLate = true;
      end("SIGTERM");
      setTimeout(() => end("SIGKILL"), graceMs).unref();
    };
    const timer = setTimeout(stop, timeoutMs);
    const leave = () => end("SIGKILL");
    process.once("exit", leave);
    signal?.addEventListener("abort", stop, { once: true });
    child.stdout.on("data", (data: Buffer) => (output.stdout = (output.stdout + data.toString()).slice(-most)));
    child.stderr.on("data", (data: Buffer) => {
      output.stderr = (output.stderr + data.toString()).slice(-most);
      onStderr?.(data.toString());
    });
    const settle = (exit: number | null) => {
      clearTimeout(timer);
      process.off("exit", leave);
      signal?.removeEventListener("abort", stop);
      end("SIGKILL");
      resolve({ exit: isLate ? null : exit, ...output });
    };
    child.once("error", (error) => {
      output.stderr += error.message;
      settle(127);
    });
    child.once("close", (code) => settle(code));
  });
}
