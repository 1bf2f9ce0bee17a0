#!/usr/bin/env node
// The command line: reads arguments and hands them to one command, which is loaded only then.

import { enableCompileCache } from "node:module";
import { constants } from "node:os";
import { makeProgram } from "./program.ts";
import { reportError } from "./shared/report-error.ts";

// What a command loads is compiled once, not on every start.
enableCompileCache();

// The reader of the output may close the pipe, as head does. Unfinished work has not succeeded: exit as other programs do.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(128 + constants.signals.SIGPIPE);
  console.error(`the output cannot be written: ${error.message}`);
  process.exit(2);
});

try {
  await makeProgram().parseAsync();
} catch (error) {
  process.exitCode = reportError(error);
}
