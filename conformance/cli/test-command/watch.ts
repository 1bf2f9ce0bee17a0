// Reruns tests when files change, one run at a time.

import { basename } from "node:path";
import { LoadError, UnknownDriverError } from "../../kit/index.ts";
import type { Suite } from "../../kit/index.ts";
import { Changes } from "./changes.ts";
import { isMade, touchedBy } from "./touched.ts";
import type { Touched, WatchedFolders } from "./touched.ts";
import { UsageError } from "../../kit/base/usage-error.ts";

/**
 * Runs tests, and again what a change touches, for ever.
 * @param run runs what is touched; returns the suite as it is now
 */
export async function runOnChange(folders: WatchedFolders, run: (touched: Touched) => Promise<Suite>): Promise<never> {
  const watched = new Set([folders.cases, folders.fixtures, ...folders.drivers]);
  const changes = new Changes([...watched], (folder) => isMade(basename(folder)));
  let suite: Suite | undefined;
  let touched: Touched = "everything";
  for (;;) {
    clearScreen();
    try {
      suite = await run(touched);
      touched = [];
    } catch (error) {
      // The file is probably half written; the cases that it touches stay pending.
      if (!isOfTheUser(error)) throw error;
      console.error((error as Error).message);
    }
    console.log(`Waiting for changes.${process.stdin.isTTY ? " q quits." : ""}`);
    do {
      const files = await changes.next();
      touched = both(touched, suite ? touchedBy(files, folders, suite) : "everything");
    } while (touched.length === 0);
  }
}

function both(left: Touched, right: Touched): Touched {
  return left === "everything" || right === "everything" ? "everything" : [...new Set([...left, ...right])];
}

function isOfTheUser(error: unknown): boolean {
  return [LoadError, UnknownDriverError, UsageError].some((kind) => error instanceof kind);
}

/** Calls `quit` when the person at the terminal presses q or Ctrl-C. */
export function onQuit(quit: () => void): void {
  const { stdin } = process;
  if (!stdin.isTTY) return;
  stdin.setRawMode(true);
  stdin.on("data", (keys: Buffer) => {
    if (keys.includes("q") || keys.includes("\u0003")) quit();
  });
}

/** Makes the terminal empty; what does not end in a terminal keeps everything. */
function clearScreen(): void {
  if (process.stdout.isTTY) process.stdout.write("\u001b[2J\u001b[3J\u001b[H");
}
