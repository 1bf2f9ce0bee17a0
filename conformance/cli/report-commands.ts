// The command `report`, and what chooses reporters, as declared on the command line. Each is loaded only when it is used.

import { InvalidArgumentError, Option } from "commander";
import type { Command } from "commander";
import type { Shard } from "../../schemas/types.ts";

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

/** `--reporter`, which may be repeated. */
export function reporterOption(): Option {
  return new Option(
    "--reporter <reporter>",
    "pretty, json, junit, tap, ctrf, github, html or badge; <reporter>=<file> writes to a file; may be repeated; absent: pretty",
  ).argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
}

/** `--details`: what a report has of variants that passed. */
export function detailsOption(): Option {
  return new Option("--details <which>", "of which variants the report has the wire and the events")
    .choices(["failures", "all"])
    .default("failures");
}

/** `--shard i/n`. */
export function shardOption(): Option {
  return new Option(
    "--shard <i/n>",
    "only the i-th of n equal parts; merge their reports with: report merge",
  ).argParser(shard);
}

function outputOption(): Option {
  return new Option("-o, --output <file>", "where to write it; absent: to stdout");
}

function shard(value: string): Shard {
  const [, index, count] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(value) ?? [];
  if (index === undefined || Number(index) > Number(count))
    throw new InvalidArgumentError("expected i/n with i from 1 to n, such as 2/4");
  return { index: Number(index), count: Number(count) };
}
