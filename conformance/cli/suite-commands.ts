// The commands about the suite and the spec, as declared on the command line. Each is loaded only when it is used.

import { Option } from "commander";
import type { Command } from "commander";
import { levels } from "../kit/suite/levels.ts";
import { collect, port, positive, wholeNumber } from "./shared/option-values.ts";
import { detailsOption, reporterOption, shardOption } from "./shared/report-options.ts";
import { showFirst } from "./shared/screen-help.ts";

/** Adds `test`. */
export function addTestCommand(program: Command): void {
  const test = program
    .command("test")
    .description("run the conformance suite against a driver")
    .addOption(
      new Option("-d, --driver <driver>", "a name, a folder with an agent-loop.json, or a command; may be repeated")
        .argParser(collect)
        .makeOptionMandatory(),
    )
    .option("--relay <driver>", "a second driver: each run is handed over after every turn, and nothing may be lost")
    .addOption(
      new Option(
        "-c, --case <id>",
        "only cases whose id contains this, or matches it with *; may be repeated",
      ).argParser(collect),
    )
    .option("--cases <folder>", "the cases in a folder of your own, in the place of those of the suite")
    .addOption(
      new Option("-r, --requires <requirement>", "only cases that test this requirement; may be repeated").argParser(
        collect,
      ),
    )
    .addOption(
      new Option("-f, --feature <feature>", "only cases that need this feature; may be repeated").argParser(collect),
    )
    .addOption(
      new Option("-p, --provider <provider>", "only this provider, or generic; may be repeated").argParser(collect),
    )
    .addOption(
      new Option(
        "--variant <variant>",
        "only these variants, such as openai-chat/sse, json, streamed or */sse; may be repeated",
      ).argParser(collect),
    )
    .addOption(
      new Option(
        "--level <level>",
        "judge nothing beyond this level, and run only the cases that it needs: essential is what hurts every user",
      ).choices([...levels]),
    )
    .addOption(reporterOption())
    .addOption(detailsOption())
    .addOption(shardOption())
    .option(
      "--known-failures <file>",
      "the list of what the driver is known to fail; absent: as its agent-loop.json says",
    )
    .option("--update-known-failures", "bring that list up to date, after a run of everything")
    .option("--suite <version>", "only the cases that this version of the suite has, such as 1.0")
    .option("-j, --jobs <n>", "how many runs may be in flight, if the driver allows it", positive, 8)
    .option(
      "--timeout <ms>",
      "how long one run may take, in milliseconds; longer for a driver that takes more than a second to start",
      positive,
      10_000,
    )
    .option("--probe", "also try features that the driver does not declare, and name those that seem to work")
    .option("--seed <n>", "repeats the random ids, words and splits of an earlier run", wholeNumber)
    .option(
      "--splits <n>",
      "play each streamed variant n times more, cut into pieces: byte by byte, then at random",
      wholeNumber,
    )
    .addOption(
      new Option("--split <seed>", "cut streams as this split of an earlier run did; may be repeated").argParser(
        (value: string, before: number[] | undefined) => [...(before ?? []), wholeNumber(value)],
      ),
    )
    .option("--stage <stage>", "exactly the cases of this stage of the track learn and of all before it")
    .option("--score <file>", "with --stage: write the result of each stage, as JSON")
    .option("--watch", "rerun what a changed case, fixture or driver file touches; q or Ctrl-C quits")
    .action(async (options) => (await import("./test.ts")).test(options));
  showFirst(test, "driver", "case", "reporter", "knownFailures", "stage", "watch");
}

/** Adds `explain`. */
export function addExplainCommand(program: Command): void {
  program
    .command("explain")
    .summary("explain whatever has a name: a requirement, case, bug, event, …")
    .description(
      "explain whatever has a name: a requirement, case, bug, rule, feature, status, event, term, type, message",
    )
    .argument("<name>", "such as TOOL-9, tools/unknown-tool, external_tools, cancelled, tool_start")
    .option("--full", "print examples and lists in full")
    .action(async (id, options) => (await import("./explain.ts")).explain(id, options));
}

/** Adds what is done with single cases, and with the suite as data. */
export function addSuiteCommands(parent: Command): void {
  parent
    .command("list")
    .description("list cases, requirements, features, profiles, rules of the providers, or drivers")
    .argument("[what]", "cases, requirements, features, profiles, rules, drivers", "cases")
    .option("--json", "as JSON")
    .action(async (what, options) => (await import("./list.ts")).list(what, options));

  parent
    .command("repro")
    .description("show the requests and answers of one variant as curl commands, or serve it to any client")
    .argument("<case>", "such as tools/unknown-tool")
    .argument("<variant>", "such as openai-chat/sse")
    .option("-d, --driver <driver>", "who plays it, without time limits; absent: the reference")
    .option("--wait", "print the pid of the driver, and begin only after Enter, so that a debugger can be attached")
    .option("--serve", "answer any client on 127.0.0.1, until Ctrl-C")
    .option("--port <port>", "where to serve; 0: any free port; absent: 4010", port)
    .option("--seed <n>", "repeats the random ids and words of an earlier run", wholeNumber)
    .option("--split <seed>", "play it once more, with streams cut as this split of an earlier run did", wholeNumber)
    .action(async (id, variant, options) => (await import("./repro.ts")).repro(id, variant, options));

  parent
    .command("export")
    .description("write the suite, and vectors for pure functions, as JSON for test runners of other languages")
    .option("--out <folder>", "where to write", "agent-loop-suite")
    .option("--suite <version>", "only the cases that this version of the suite has")
    .action(async (options) => (await import("./export.ts")).exportSuite(options));
}
