// The commands that record a program, replay it and judge its traffic, as declared on the command line. Each is loaded only when it is used.

import { Argument, Option } from "commander";
import type { Command } from "commander";
import { commandLine } from "../kit/base/cli-name.ts";
import { levels } from "../kit/suite/levels.ts";
import { collect } from "./shared/option-values.ts";
import { reporterOption } from "./shared/report-options.ts";
import { showFirst } from "./shared/screen-help.ts";
import { allowUnscanned, fault, order, overwrite, timing, upstream } from "./shared/traffic-options.ts";

const withNpxAlone = `
Nothing has to be installed before:
  ${commandLine} record -o weather.json -- python3 my_agent.py`;

/** Adds them to the program. */
export function addTrafficCommands(program: Command): void {
  const record = program
    .command("record")
    .description("run a program, and write its model traffic into a fixture")
    .requiredOption("-o, --out <file>", "the fixture; its recording log is beside it while the program runs")
    .addArgument(commandArgument())
    .addOption(upstream())
    .option("--redact", "replace secrets; by default the first one ends the recording")
    .addOption(allowUnscanned())
    .addOption(overwrite())
    .option("--recover", "make the fixture from the recording log of an interrupted recording")
    .option(
      "--audit",
      "judge what was recorded, as audit does: on stderr when the program has ended; exit code 1 if a requirement is broken",
    )
    .addOption(level("with --audit: "))
    .addOption(reporterOption("with --audit: "))
    .addHelpText("after", withNpxAlone)
    .action(async (command, options) => (await import("./record.ts")).record(command, options));
  showFirst(record, "out", "upstream", "redact", "overwrite");

  const replay = program
    .command("replay")
    .summary("run a program offline, answered as recorded")
    .description("run a program offline: each of its model calls is answered as recorded")
    .argument("<fixture>", "a fixture file")
    .addArgument(commandArgument())
    .addOption(order())
    .addOption(timing())
    .addOption(fault())
    .addOption(expectation())
    .option("--no-rules", "do not check requests against the rules of the providers")
    .option("--update", "send requests that do not match to the providers, and rewrite the fixture; not in CI")
    .addOption(upstream())
    .option("--redact", "with --update: replace secrets; by default the first one ends the recording")
    .addOption(allowUnscanned())
    .addOption(keepEnv())
    .action(async (file, command, options) => (await import("./replay.ts")).replay(file, command, options));
  showFirst(replay, "order", "fault", "expect", "rules", "update");

  program
    .command("audit")
    .summary("judge the recorded requests of any agent")
    .description(
      "show which requirements the recorded requests of any agent keep, and which they break, and where; exit code 1 if any is broken",
    )
    .argument("<fixture...>", "fixture files; together they are one certificate")
    .addOption(level())
    .addOption(reporterOption())
    .addOption(expectation())
    .option("--json", "the places that are broken, and the notes, as JSON")
    .action(async (files, options) => (await import("./audit.ts")).audit(files, options));
}

function level(when = ""): Option {
  return new Option(
    "--level <level>",
    `${when}judge nothing beyond this level: essential is what hurts every user; absent: everything`,
  ).choices([...levels]);
}

function commandArgument(): Argument {
  return new Argument("[command...]", "after --, the program and its arguments");
}

function keepEnv(): Option {
  return new Option(
    "--keep-env <name>",
    "a variable that the program keeps although it may hold a key or an address; may be repeated",
  ).argParser(collect);
}

function expectation(): Option {
  return new Option(
    "--expect <file>",
    "YAML with the tools that must be called, their arguments, the requests, and the cost limit",
  );
}
