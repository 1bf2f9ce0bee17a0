// What `test` does whether or not a stage selects the cases: tests each driver, passes the options on, and ends the report.

import type { NamedDriver, Report, RunSuiteOptions, Suite } from "../kit/index.ts";
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
 * Tests each driver, unless no selected case is touched. The exit code is that of the worst driver.
 * @param test returns the exit code of one driver
 */
export async function testEach(
  { drivers, touched }: TestRun,
  selectedCases: readonly string[],
  test: (driver: NamedDriver) => Promise<number>,
): Promise<void> {
  if (touched !== "everything" && !selectedCases.some((id) => isTouched(touched, id))) {
    console.log("The changed files touch no selected case.");
    return;
  }
  process.exitCode = 0;
  for (const driver of drivers) {
    const code = await test(driver);
    process.exitCode = Math.max(Number(process.exitCode), code);
  }
}

/** Whether a case is run. */
export function isTouched(touched: Touched, id: string): boolean {
  return touched === "everything" || touched.includes(id);
}

/** How the suite is run, as the options of the command line say, and who is called on the way. */
export function runOptions(options: TestOptions, reporter: Reporter) {
  const seed = options.seed ?? newSeed();
  return {
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
