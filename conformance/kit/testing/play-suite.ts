// Runs cases of the suite against a driver in this process, as the command line does against a program.

import { inProcess } from "../driver/in-process.ts";
import type { MakeDriver } from "../driver/in-process.ts";
import { runSuite } from "../run/runner.ts";
import type { Report } from "../run/make-report.ts";
import type { RunSuiteOptions } from "../run/types.ts";
import { sharedSuite } from "./shared-suite.ts";

/** The report of a run with a fixed seed and no known failures. */
export async function playSuite(
  make: MakeDriver,
  options: Omit<RunSuiteOptions, "driver" | "knownFailures">,
): Promise<Report> {
  const driver = { name: "memory", argument: "memory", command: inProcess(make) };
  const suite = options.suite ?? (await sharedSuite());
  const { report } = await runSuite({ driver, knownFailures: null, seed: 1, ...options, suite });
  return report;
}
