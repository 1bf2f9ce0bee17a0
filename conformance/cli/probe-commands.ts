// The commands that put programs under test, as declared on the command line. Each is loaded only when it is used.

import { Argument, Option } from "commander";
import type { Command } from "commander";
import { usualTimeoutMs } from "./probe-options.ts";
import { collect, positive } from "./shared/option-values.ts";
import { showFirst } from "./shared/screen-help.ts";
import { reporterOption } from "./shared/report-options.ts";

/** Adds `probe`. */
export function addProbeCommand(program: Command): void {
  const probe = program
    .command("probe")
    .summary("put an agent program under test, without a driver or its source")
    .description(
      "put a whole agent program under test, without a driver: a scripted model answers it, and does what models and networks do",
    )
    .addArgument(new Argument("[command...]", "after --, the program and its arguments"))
    .option("--agent <name>", "a program that the package describes, or the file of one")
    .option(
      "--continue <command>",
      "how the program goes on with its conversation, where {prompt} is what the user says",
    )
    .addOption(
      new Option(
        "--env <name>",
        "NAME hands a variable on to the program, NAME=value sets it; may be repeated",
      ).argParser(collect),
    )
    .addOption(
      new Option(
        "--scenario <name>",
        "only the scenario with this name, or those whose name contains it or matches it with *; may be repeated",
      ).argParser(collect),
    )
    .addOption(
      new Option(
        "-r, --requires <requirement>",
        "only scenarios that name this requirement; may be repeated",
      ).argParser(collect),
    )
    .addOption(
      new Option("--severity <severity>", "executes, misreports, bricks, loses or leaks; may be repeated").argParser(
        collect,
      ),
    )
    .option("--list", "list the scenarios")
    .option("--offline", "where nothing but this machine can be reached; Linux only")
    .option("-j, --jobs <n>", "how many scenarios are played at a time", positive, 4)
    .option("--timeout <ms>", "how long one turn of a scenario may take, in milliseconds", positive, usualTimeoutMs)
    .option("--keep <folder>", "keep the folder, the traffic and the output of each scenario there")
    .addOption(reporterOption())
    .option("--known-failures <file>", "the list of what the program is known to break")
    .option("--update-known-failures", "bring that list up to date")
    .option("--install <name>", "fetch the pinned version of a program that the package describes, and do nothing else")
    .option(
      "--from <fixture>",
      "play a recorded conversation, with one fault at a time at each exchange; the program executes its calls again, once for each fault, so that they are listed first, and it starts only with --run-tools",
    )
    .option("--run-tools <names>", "with --from: the recorded tools that the program may execute again, or all")
    .action(async (command, options) => (await import("./probe.ts")).probe(command, options));
  showFirst(probe, "agent", "env", "scenario", "list", "reporter", "knownFailures");
}
