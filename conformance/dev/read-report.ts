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

/** One line for each variant that failed, and the command that repeats it; empty if there is no report. */
export function listFailures(stdout: string): string {
  const failed = reportIn(stdout)?.variants.filter(({ repro }) => repro !== undefined) ?? [];
  return failed
    .map(({ check, variant, failures, repro }) => `${check} ${variant}: ${failures?.[0]?.message}\n  ${repro}`)
    .join("\n");
}
