#!/usr/bin/env node
// The command line: reads arguments and hands them to one command, which is loaded only then.

import { enableCompileCache } from "node:module";
import { constants } from "node:os";
import { CommanderError } from "commander";
import { makeProgram } from "./program.ts";
import { UsageError } from "../kit/base/usage-error.ts";

// What a command loads is compiled once, not on every start.
enableCompileCache();

// The reader of the output may close the pipe, as head does. Unfinished work has not succeeded: exit as other programs do.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(128 + constants.signals.SIGPIPE);
  console.error(`the output cannot be written: ${error.message}`);
  process.exit(2);
});

/** The errors of modules that are not loaded here, about what the user gave; their messages say what to do. */
const ofTheUser: ReadonlySet<string> = new Set([
  "FixtureError",
  "LoadError",
  "ProgressError",
  "ReportError",
  "StartError",
  "UnknownDriverError",
  "UnknownVersionError",
]);

try {
  await makeProgram().parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

/** Says what went wrong, and gives the exit code. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const { name, message, stack } = error as Error;
  const isUsage = error instanceof UsageError || ofTheUser.has(name);
  console.error(isUsage ? message : `The kit failed; this is a bug of the kit.\n${stack}`);
  return isUsage ? 2 : 3;
}
