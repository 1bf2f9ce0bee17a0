#!/usr/bin/env node
// The command line: reads arguments and hands them to one command, which is loaded only then.

import { enableCompileCache } from "node:module";
import { constants } from "node:os";
import { Command, CommanderError } from "commander";
import { addDriverCommands, addInitCommand } from "./driver-commands.ts";
import { addMatrixCommands } from "./matrix-commands.ts";
import { addProbeCommand } from "./probe-commands.ts";
import { addFixtureCommands } from "./fixture-commands.ts";
import { addOutcomeCommands, addReportCommands } from "./report-commands.ts";
import { addSessionCommands, addShowCommand } from "./session-commands.ts";
import { addExplainCommand, addSuiteCommands, addTestCommand } from "./suite-commands.ts";
import { addLessonCommands, addTeachingCommands } from "./teaching-commands.ts";
import { addTrafficCommands } from "./traffic-commands.ts";
import { groupHeading, screenHelp } from "./shared/screen-help.ts";
import { commandLine } from "../kit/base/cli-name.ts";
import { UsageError } from "../kit/base/usage-error.ts";

// What a command loads is compiled once, not on every start.
enableCompileCache();

const program = new Command(commandLine)
  .usage("<command> [--help]")
  .description("Checks agent loops in any language against the Agent Loop Spec.")
  .exitOverride()
  .configureHelp(screenHelp)
  .showHelpAfterError("(--help shows what there is)");

addProbeCommand(program);
addTestCommand(program);
addInitCommand(program);
addTrafficCommands(program);
addExplainCommand(program);
addTeachingCommands(program);
addMatrixCommands(program);

addGroup("fixture", "show, compare, check, import and serve recorded traffic", addShowCommand, addFixtureCommands);
addGroup("session", "show, validate, repair and convert sessions", addShowCommand, addSessionCommands);
addGroup("report", "show, merge and compare reports; what a run certifies", addReportCommands, addOutcomeCommands);
addGroup("suite", "list, export and play single cases; a tour, and a quiz", addSuiteCommands, addLessonCommands);
addGroup("driver", "walk through the protocol with a driver", addDriverCommands);

// These were commands of their own before there were groups, and still are.
for (const add of [addShowCommand, addFixtureCommands, addSessionCommands, addOutcomeCommands]) add(program);
for (const add of [addSuiteCommands, addLessonCommands]) add(program);

/** Adds commands as one that has them. */
function addGroup(name: string, description: string, ...adding: readonly ((group: Command) => void)[]): void {
  const group = program.command(name).description(description).helpGroup(groupHeading);
  for (const add of adding) add(group);
}

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
  await program.parseAsync();
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
