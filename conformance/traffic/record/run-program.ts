// Runs the program whose traffic is recorded or replayed, as if it had been started alone, and never leaves it behind.

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";

/** A program that could not be started. The message says which and why. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/**
 * Runs a program with the terminal of this one. Signals that end this process are handed on, and the program ends first.
 * @param how `end` asks the program to end when it aborts; it works in `cwd`, absent: here
 * @returns its exit code; 128 and the number of the signal where one ended it
 * @throws StartError if there is no such program
 */
export async function runProgram(
  command: readonly string[],
  environment: NodeJS.ProcessEnv,
  { end, cwd }: { end?: AbortSignal; cwd?: string } = {},
): Promise<number> {
  const [file = "", ...args] = command;
  let child: ChildProcess | undefined;
  const ask = () => child?.kill("SIGTERM");
  end?.addEventListener("abort", ask);
  // Ctrl-C in a terminal reaches the whole group, the program included.
  const hand = (signal: NodeJS.Signals) => {
    if (signal !== "SIGINT" || !process.stdin.isTTY) child?.kill(signal);
  };
  const kill = () => child?.kill("SIGKILL");
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  // Before the program starts, so that no signal can end this process and leave it behind.
  for (const signal of signals) process.on(signal, hand);
  process.on("exit", kill);
  try {
    const started = spawn(file, args, { stdio: "inherit", env: environment, ...(cwd !== undefined && { cwd }) });
    child = started;
    return await new Promise<number>((resolve, reject) => {
      started.once("error", ({ code, message }: NodeJS.ErrnoException) => {
        const why = code === "ENOENT" ? "there is no such program" : message;
        reject(new StartError(`${file} could not be started: ${why}`));
      });
      started.once("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal!]));
    });
  } finally {
    for (const signal of signals) process.off(signal, hand);
    process.off("exit", kill);
    end?.removeEventListener("abort", ask);
  }
}
