// What `test` does whether or not a stage selects the cases: tests each driver, passes the options on, and ends the report.

import type { NamedDriver, Report, RunSuiteOptions, Suite } from "../kit/index.ts";
import { constants } from "node:os";
import { beforeEnding } from "../kit/driver/process-group.ts";
import { newSeed } from "../kit/base/seeded-random.ts";
import { splitsOf } from "../kit/wire/split-stream.ts";
import type { Reporter } from "../reporters/reporter.ts";
import type { Target } from "./shared/reporting.ts";
import type { TestOptions } from "./test-command/test-options.ts";
import type { Touched } from "./test-command/touched.ts";

/** What is tested, and where it is reported. */
export interface TestRun {
  drivers: readonly NamedDriver[];
  suite: Suite;
  options: TestOptions;
  targets: readonly Target[];
  /** Of the selected cases, only these are run. */
  touched: Touched;
}

/**
 * Tests each driver, unless no selected case is touched. The exit code is that of the worst driver; where a signal ends the run, that
 * of the signal, and what was run is reported.
 * @param test returns the exit code of one driver
 */
export async function testEach(
  { drivers, touched, options }: TestRun,
  selectedCases: readonly string[],
  test: (driver: NamedDriver, ended: AbortSignal) => Promise<number>,
): Promise<void> {
  if (touched !== "everything" && !selectedCases.some((id) => isTouched(touched, id))) {
    console.log("The changed files touch no selected case.");
    return;
  }
  const ending = new AbortController();
  let worst = 0;
  const end = (signal: NodeJS.Signals) => {
    worst = 128 + constants.signals[signal];
    ending.abort(`${signal} ended the run before`);
  };
  // Who watches quits, and wants no last report.
  const forget = options.watch ? undefined : beforeEnding(end);
  for (const driver of drivers) {
    if (ending.signal.aborted) break;
    const code = await test(driver, ending.signal);
    worst = Math.max(worst, code);
  }
  forget?.();
  process.exitCode = worst;
}

/** Whether a case is run. */
export function isTouched(touched: Touched, id: string): boolean {
  return touched === "everything" || touched.includes(id);
}

/** How the suite is run, as the options of the command line say, and who is called on the way. */
export function runOptions(options: TestOptions, reporter: Reporter, ended: AbortSignal) {
  const seed = options.seed ?? newSeed();
  return {
    signal: ended,
    details: options.details,
    ...(options.level && { level: options.level }),
    jobs: options.jobs,
    timeoutMs: options.timeout,
    seed,
    splits: [...splitsOf(seed, options.splits ?? 0), ...(options.split ?? [])],
    onStart: (header) => reporter.start?.(header),
    onBegin: (begun) => reporter.begin?.(begun),
    onResult: (result) => reporter.result?.(result),
  } satisfies Partial<RunSuiteOptions>;
}

/** Ends the report. Returns whether it is printed for people, with the error of a driver that did not start. */
export function endReport(
  reporter: Reporter,
  report: Report,
  driver: NamedDriver,
  targets: readonly Target[],
): boolean {
  reporter.end(report);
  const isPrinted = targets.some(({ name, file }) => name === "pretty" && file === undefined);
  if (report.start_error !== undefined && !isPrinted)
    console.error(`The driver ${driver.name} never initialised: ${report.start_error}`);
  return isPrinted;
}
