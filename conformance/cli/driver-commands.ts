// The commands for writing a driver, as declared on the command line. Each is loaded only when it is used.

import { Option } from "commander";
import type { Command } from "commander";
import { collect, positive, wholeNumber } from "./shared/option-values.ts";

/** Adds `init`. */
export function addInitCommand(program: Command): void {
  program
    .command("init")
    .summary("write the skeleton of a driver, with a place for your loop")
    .description("write the skeleton of a driver, with a place for your loop")
    .option("-l, --lang <language>", "python, go, rust, typescript, or other: instructions for any language")
    .option(
      "--for <whom>",
      "framework: a driver of level wire around an official SDK, which works as it stands (typescript, python)",
    )
    .option("--dir <folder>", "where to write it", "agent-loop-driver")
    .action(async (options) => (await import("./init.ts")).init(options));
}

/** Adds what helps with writing a driver. */
export function addDriverCommands(driver: Command): void {
  driver
    .command("check")
    .description("walk through the protocol with a driver, message by message")
    .addOption(
      new Option(
        "-d, --driver <driver>",
        "a name, a folder with an agent-loop.json, or a command",
      ).makeOptionMandatory(),
    )
    .option("-v, --verbose", "show every message")
    .option(
      "--timeout <ms>",
      "how long the driver may be silent, in milliseconds; at least 20000 to start",
      positive,
      5000,
    )
    .action(async (options) => (await import("./driver-check.ts")).checkDriver(options));

  driver
    .command("combine")
    .description(
      "play combinations of features that no case has, each made of its number, and show what a driver breaks in them " +
        "and where several drivers differ",
    )
    .addOption(
      new Option(
        "-d, --driver <driver>",
        "a name, a folder with an agent-loop.json, or a command; repeated: the others are compared with the first",
      )
        .argParser(collect)
        .makeOptionMandatory(),
    )
    .option("--from <number>", "the number of the first combination", wholeNumber, 1)
    .option("--times <n>", "how many combinations", positive, 100)
    .addOption(
      new Option("--with <ingredient>", "an ingredient that each has, such as handoff; may be repeated").argParser(
        collect,
      ),
    )
    .addOption(
      new Option(
        "--of <ingredient>",
        "one combination alone, with this ingredient and no other; may be repeated",
      ).argParser(collect),
    )
    .addOption(
      new Option(
        "--variant <variant>",
        "over which variants, as `test` takes them; default: generic, and one of a provider that the number stands for",
      ).argParser(collect),
    )
    .option("--show", "print the case of each combination in which something was found")
    .action(async (options) => (await import("./combine.ts")).combine(options));
}
