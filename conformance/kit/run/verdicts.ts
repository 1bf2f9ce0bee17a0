// What verdicts mean: which are red, how they add up, what the process exits with, and what a driver's error is.

import type { Failure, ReportFooter, Totals, VariantResult, Verdict } from "../../../schemas/types.ts";
import { DriverCrash, DriverError, DriverTimeout, ProtocolError, withLine } from "../driver/errors.ts";

/** Verdicts that need no attention. */
const quietVerdicts: readonly Verdict[] = ["pass", "expected-fail", "unsupported", "not-applicable"];
/** Verdicts of variants that were run. */
const executedVerdicts: readonly Verdict[] = ["pass", "fail", "expected-fail", "unexpected-pass"];

/** 0: all is well. 1: a requirement is broken, something is not as a file says, or nothing was executed. 3: the driver never initialised, or the kit failed. @see KIT-26 */
export function exitCodeOf({ report }: { report: ReportFooter }): 0 | 1 | 3 {
  const { totals, requirements, start_error: startError, problems = [] } = report;
  if (startError !== undefined || totals["harness-error"] > 0) return 3;
  const red =
    totals.fail + totals["unexpected-pass"] + totals["not-run"] + problems.length + (requirements?.broken ?? 0);
  const executed = executedVerdicts.reduce((sum, verdict) => sum + totals[verdict], 0);
  return red > 0 || executed === 0 ? 1 : 0;
}

/** How many results have which verdict. `selected` is the sum of the others. @see KIT-2 */
export function countVerdicts(results: readonly VariantResult[]): Totals {
  const totals: Totals = {
    selected: results.length,
    pass: 0,
    fail: 0,
    "expected-fail": 0,
    "unexpected-pass": 0,
    unsupported: 0,
    "not-applicable": 0,
    "not-run": 0,
    "harness-error": 0,
  };
  for (const { verdict } of results) totals[verdict] += 1;
  return totals;
}

/** Whether a verdict needs no attention. */
export function isQuiet(verdict: Verdict): boolean {
  return quietVerdicts.includes(verdict);
}

/** The failure that an error of the driver is; undefined if the error is the kit's. */
export function failureOf(error: Error): Failure | undefined {
  if (error instanceof DriverCrash) return { code: "driver_crashed", message: error.message };
  if (error instanceof DriverTimeout) return { code: "driver_timeout", message: error.message };
  if (error instanceof ProtocolError) return { code: "protocol_error", message: withLine(error) };
  if (error instanceof DriverError) return { code: "driver_error", message: error.message };
  return undefined;
}
