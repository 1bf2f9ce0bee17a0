// The commands, in groups: what is asked for on the first day, and what is needed after it.

import { Command } from "commander";
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

/** The program, with every command; nothing of them is loaded. */
export function makeProgram(): Command {
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

  addGroup(
    program,
    "fixture",
    "show, compare, check, import and serve recorded traffic",
    addShowCommand,
    addFixtureCommands,
  );
  addGroup(program, "session", "show, validate, repair and convert sessions", addShowCommand, addSessionCommands);
  addGroup(
    program,
    "report",
    "show, merge and compare reports; what a run certifies",
    addReportCommands,
    addOutcomeCommands,
  );
  addGroup(
    program,
    "suite",
    "list, export and play single cases; a tour, and a quiz",
    addSuiteCommands,
    addLessonCommands,
  );
  addGroup(
    program,
    "driver",
    "walk through the protocol with a driver; play combinations of features",
    addDriverCommands,
  );

  // These were commands of their own before there were groups, and still are.
  for (const add of [addShowCommand, addFixtureCommands, addSessionCommands, addOutcomeCommands]) add(program);
  for (const add of [addSuiteCommands, addLessonCommands]) add(program);
  return program;
}

/** Adds commands as one that has them. */
function addGroup(
  program: Command,
  name: string,
  description: string,
  ...adding: readonly ((group: Command) => void)[]
): void {
  const group = program.command(name).description(description).helpGroup(groupHeading);
  for (const add of adding) add(group);
}
