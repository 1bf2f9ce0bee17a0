// The command `report`, and what chooses reporters, as declared on the command line. Each is loaded only when it is used.

import { Option } from "commander";
import type { Command } from "commander";
import { reporterOption } from "./shared/report-options.ts";

/** Adds it to the program. */
export function addReportCommands(program: Command): void {
  const report = program
    .command("report")
    .description("show, merge and compare reports that were saved with --reporter json=<file>");

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

function outputOption(): Option {
  return new Option("-o, --output <file>", "where to write it; absent: to stdout");
}
