// The commands about reports, as declared on the command line. Each is loaded only when it is used.

import { Option } from "commander";
import type { Command } from "commander";
import { collect, wholeNumber } from "./shared/option-values.ts";
import { reporterOption } from "./shared/report-options.ts";

/** Adds what is done with reports that were saved with `--reporter json=<file>`. */
export function addReportCommands(report: Command): void {
  report
    .command("show")
    .description("show a saved report with any reporter")
    .argument("<file>", "a saved report; - reads stdin")
    .addOption(reporterOption())
    .action(async (file, options) => (await import("./report.ts")).showReport(file, options));

  report
    .command("merge")
    .description("make one report of all the shards of a run")
    .argument("<file...>", "the reports of the shards")
    .addOption(outputOption())
    .action(async (files, options) => (await import("./report.ts")).mergeReports(files, options));

  report
    .command("diff")
    .description("compare two reports; exit code 1 if something became worse")
    .argument("<old>", "a saved report")
    .argument("<new>", "a later one")
    .action(async (before, after) => (await import("./report.ts")).diffReportFiles(before, after));

  report
    .command("badge")
    .description("write the JSON from which shields.io makes a badge")
    .argument("<file>", "a saved report; - reads stdin")
    .addOption(outputOption())
    .action(async (file, options) => (await import("./report.ts")).writeBadge(file, options));
}

/** Adds what is done with the outcome of a whole run. */
export function addOutcomeCommands(parent: Command): void {
  parent
    .command("coverage")
    .description("show which profiles a run certifies, and what is missing for the others")
    .argument("[report]", "a report of a whole run, saved with test --reporter json=<file>; - reads stdin")
    .option("-d, --driver <driver>", "run everything against this driver instead of reading a report")
    .addOption(
      new Option("--profile <profile>", "only this one; exit code 1 unless it is certified; may be repeated").argParser(
        collect,
      ),
    )
    .option("--json <file>", "write all of it as JSON; - is stdout")
    .option("--missing <n>", "how many missing variants of a profile are shown", wholeNumber, 5)
    .action(async (file, options) => (await import("./coverage.ts")).coverage(file, options));

  parent
    .command("migrate")
    .description("rewrite a list of known failures that names checks as one that names requirements")
    .argument("<file>", "the list, in YAML or JSON; it is rewritten in place")
    .action(async (file) => (await import("./migrate.ts")).migrate(file));
}

function outputOption(): Option {
  return new Option("-o, --output <file>", "where to write it; absent: to stdout");
}
