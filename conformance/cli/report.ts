// The command `report`: shows, merges and compares reports that were saved with --reporter json=<file>.

import { loadSuite, readReport, reportLines } from "../kit/index.ts";
import type { Report } from "../kit/index.ts";
import { partsOf } from "../kit/run/report-file.ts";
import { becameWorse, diffLines, diffReports } from "../reporters/report-diff.ts";
import { mergeShards, unkeptProfiles } from "../kit/run/report-merge.ts";
import { openReporters, targetsOf } from "./shared/reporting.ts";
import { readText } from "../kit/base/read-json.ts";
import { writeWhole } from "./shared/write-file.ts";

/** Gives a saved report to reporters, as if it had just been made. */
export async function showReport(file: string, { reporter: values }: { reporter?: string[] }): Promise<void> {
  const targets = targetsOf(values);
  const report = read(file);
  const reporter = await openReporters(targets, await loadSuite());
  reporter.start?.(partsOf(report).header);
  for (const result of report.variants) reporter.result?.(result);
  reporter.end(report);
}

/** Makes one report of all shards of a run, which says what only the whole run can say; exit code 1 if it says something. */
export async function mergeReports(files: readonly string[], { output }: { output?: string }): Promise<void> {
  const merged = mergeShards(files.map((file) => ({ file, report: read(file) })));
  const unkept = merged.profiles ? await unkeptProfiles(merged, await loadSuite()) : [];
  if (unkept.length > 0) merged.problems = [...(merged.problems ?? []), ...unkept];
  write(reportLines(merged), output);
  for (const { file, message } of unkept) console.error(`${file} ${message}`);
  if (unkept.length > 0) process.exitCode = 1;
}

/** Says what became better and worse between two reports; exit code 1 if something became worse. */
export function diffReportFiles(before: string, after: string): void {
  const difference = diffReports(read(before), read(after));
  for (const line of diffLines(difference)) console.log(line);
  if (becameWorse(difference)) process.exitCode = 1;
}

/** Writes the badge of a report. */
export async function writeBadge(file: string, { output }: { output?: string }): Promise<void> {
  const { badgeReporter } = await import("../reporters/badge.ts");
  badgeReporter({ write: (text) => write(text, output) }).end(read(file));
}

/** @throws UsageError if there is no such file, ReportError if it is no whole report */
function read(file: string): Report {
  return readReport(readText(file), file === "-" ? "stdin" : file);
}

function write(text: string, output: string | undefined): void {
  if (output === undefined) process.stdout.write(text);
  else writeWhole(output, text);
}
