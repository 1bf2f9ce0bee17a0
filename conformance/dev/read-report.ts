// Reads the report that a run of the suite in a child process wrote to stdout.

import { readReport } from "../kit/index.ts";
import type { Report } from "../kit/index.ts";

/** The report, or undefined if the run broke off before its end. */
export function reportIn(stdout: string): Report | undefined {
  try {
    return readReport(stdout, "the report");
  } catch {
    return undefined;
  }
}

/** What the report of a whole run of an implementation that keeps everything may have: it is attached to builds, and read by browsers. */
const maxReportBytes = 10_000_000;

/** Why the report of a whole run is too large; undefined if it is not. Failures have their traffic, so that a red run may have more. */
export function sizeProblem(stdout: string): string | undefined {
  const bytes = Buffer.byteLength(stdout);
  if (bytes <= maxReportBytes) return undefined;
  return `the report has ${(bytes / 1e6).toFixed(1)} MB, of at most ${maxReportBytes / 1e6}; see what its lines have that nobody needs`;
}

/** One line for each variant that failed, and the command that repeats it; empty if there is no report. */
export function listFailures(stdout: string): string {
  const failed = reportIn(stdout)?.variants.filter(({ repro }) => repro !== undefined) ?? [];
  return failed
    .map(({ check, variant, failures, repro }) => `${check} ${variant}: ${failures?.[0]?.message}\n  ${repro}`)
    .join("\n");
}
