// The command `test`: runs the suite against each driver and reports.

import { exitCodeOf, findDriver, loadSuite, runSuite } from "../kit/index.ts";
import type { NamedDriver, Selection, Suite } from "../kit/index.ts";
import { commandLine } from "../kit/command-line.ts";
import { isVariantName, select } from "../kit/selection.ts";
import { allVariants, providers } from "../kit/variant.ts";
import { reporters } from "../reporters/reporter.ts";
import type { ReporterName } from "../reporters/reporter.ts";
import { UsageError } from "./usage-error.ts";

/** The options as they stand on the command line. */
export interface TestOptions {
  driver: string[];
  case?: string[];
  requires?: string[];
  feature?: string[];
  provider?: string[];
  variant?: string[];
  reporter: ReporterName;
  jobs: number;
  timeout: number;
  seed?: number;
}

/** Runs the suite; the exit code is that of the worst driver. */
export async function test(options: TestOptions): Promise<void> {
  const drivers = options.driver.map((name) => findDriver(name));
  const suite = await loadSuite();
  const selection = selectionOf(options, suite);
  const color =
    Boolean(process.stdout.isTTY) && process.env["NO_COLOR"] === undefined && process.env["TERM"] !== "dumb";
  for (const driver of drivers) {
    const code = await testDriver(driver, suite, selection, options, color || process.env["FORCE_COLOR"] !== undefined);
    process.exitCode = Math.max(Number(process.exitCode ?? 0), code);
  }
}

async function testDriver(
  driver: NamedDriver,
  suite: Suite,
  selection: Selection,
  options: TestOptions,
  color: boolean,
): Promise<number> {
  const reporter = await reporters[options.reporter]({ write: (text) => process.stdout.write(text), suite, color });
  const run = await runSuite({
    driver,
    suite,
    select: selection,
    jobs: options.jobs,
    timeoutMs: options.timeout,
    ...(options.seed !== undefined && { seed: options.seed }),
    onStart: (start) => reporter.start(start),
    onResult: (result) => reporter.result(result),
  });
  reporter.end(run);
  if (run.startError !== undefined && options.reporter !== "pretty")
    console.error(`The driver ${driver.name} never initialised: ${run.startError}`);
  return exitCodeOf(run);
}

function selectionOf(options: TestOptions, suite: Suite): Selection {
  const { requirements, features } = suite.catalogue;
  expectKnown(
    "--requires",
    options.requires,
    (id) => requirements.has(id),
    `see them with: ${commandLine} list requirements`,
  );
  expectKnown("--feature", options.feature, (name) => features.has(name), `known: ${[...features.keys()].join(", ")}`);
  expectKnown(
    "--provider",
    options.provider,
    (name) => name === "generic" || (providers as readonly string[]).includes(name),
    `known: generic, ${providers.join(", ")}`,
  );
  expectKnown("--variant", options.variant, isVariantName, `known: ${allVariants.map(({ name }) => name).join(", ")}`);
  const selection: Selection = {
    ...(options.case && { cases: options.case }),
    ...(options.requires && { requires: options.requires }),
    ...(options.feature && { features: options.feature }),
    ...(options.provider && { providers: options.provider }),
    ...(options.variant && { variants: options.variant }),
  };
  if (select(suite.cases, selection).length > 0) return selection;
  throw new UsageError(
    suite.cases.length === 0
      ? "there are no cases in conformance/cases"
      : `no variant of any case fits these options; see the cases with: ${commandLine} list cases`,
  );
}

function expectKnown(
  option: string,
  values: string[] | undefined,
  isKnown: (value: string) => boolean,
  advice: string,
): void {
  const unknown = values?.find((value) => !isKnown(value));
  if (unknown !== undefined) throw new UsageError(`${option} ${unknown} is not known; ${advice}`);
}
