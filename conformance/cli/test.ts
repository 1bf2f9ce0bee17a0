// The command `test`: runs the suite against each driver and reports.

import { statSync } from "node:fs";
import { resolve } from "node:path";
import { exitCodeOf, findDriver, loadSuite, runSuite } from "../kit/index.ts";
import type { NamedDriver, Report, Selection, Suite } from "../kit/index.ts";
import { commandLine } from "../kit/base/cli-name.ts";
import { whichName } from "../kit/base/suggest-name.ts";
import { packagePath } from "../kit/base/package-root.ts";
import { undeclaredFeatures } from "../kit/run/undeclared-features.ts";
import { isComplete } from "../kit/run/run-problems.ts";
import type { SuiteOptions } from "../kit/suite/types.ts";
import { isVariantName, isWhole, select, variantNames } from "../kit/suite/selection.ts";
import { providers } from "../kit/suite/variant.ts";
import { baselineOf, checkBaselineOptions, updateBaseline } from "./test-command/baseline.ts";
import { certifiedLine } from "../kit/run/certified.ts";
import { relayWith } from "./test-command/relay.ts";
import { openReporters, targetsOf } from "./shared/reporting.ts";
import type { Target } from "./shared/reporting.ts";
import { keepHeapSmall } from "./test-command/small-heap.ts";
import type { TestOptions } from "./test-command/test-options.ts";
import { endReport, isTouched, runOptions, testEach } from "./test-run.ts";
import type { TestRun } from "./test-run.ts";
import type { Touched } from "./test-command/touched.ts";
import { UsageError } from "../kit/base/usage-error.ts";

/** Runs the suite; the exit code is that of the worst driver. */
export async function test(options: TestOptions): Promise<void> {
  keepHeapSmall();
  const targets = targetsOf(options.reporter);
  const file = targets.find((target) => target.file !== undefined)?.file ?? options.score;
  if (file !== undefined && options.driver.length > 1)
    throw new UsageError(
      `${file} can have the report of one driver, but ${options.driver.length} are named; test one at a time`,
    );
  if (options.score !== undefined && options.stage === undefined)
    throw new UsageError("--score counts stages, and needs to know up to which; add --stage");
  if (!options.watch) return void (await testAll(options, targets));
  if (options.updateKnownFailures)
    throw new UsageError("--update-known-failures needs a whole run, and --watch runs parts; give one of them");
  const { onQuit, runOnChange } = await import("./test-command/watch.ts");
  const { foldersOf } = await import("./test-command/touched.ts");
  onQuit(() => process.exit());
  const folders = {
    cases: options.cases === undefined ? packagePath("conformance/cases") : resolve(options.cases),
    fixtures: packagePath("fixtures"),
    drivers: [...options.driver, ...(options.relay === undefined ? [] : [options.relay])]
      .map((name) => findDriver(name))
      .flatMap(foldersOf),
    written: [...targets, { file: options.score }].flatMap(({ file: path }) =>
      path === undefined ? [] : resolve(path),
    ),
  };
  await runOnChange(folders, (touched) => testAll(options, targets, touched));
}

/** The suite of the package, or cases of one's own, which no cache keeps. */
function suiteOf({ cases, suite: version }: TestOptions): SuiteOptions {
  if (cases === undefined) return version === undefined ? {} : { version };
  if (version !== undefined)
    throw new UsageError("--suite names a version of the suite, and --cases is another one; give one of them");
  if (!statSync(cases, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--cases ${cases} is no folder; name the one in which your cases lie as .yaml files`);
  return { cases: resolve(cases), cache: null };
}

/** Runs what is selected, and of it only what is touched. Returns the suite as it is now. */
async function testAll(
  options: TestOptions,
  targets: readonly Target[],
  touched: Touched = "everything",
): Promise<Suite> {
  const drivers = options.driver.map((name) => findDriver(name));
  const suite = await loadSuite(suiteOf(options));
  const run: TestRun = { drivers, suite, options, targets, touched };
  if (options.stage !== undefined) {
    const { testStage } = await import("./test-stage.ts");
    await testStage(options.stage, run);
    return suite;
  }
  const selection = selectionOf(options, suite);
  checkBaselineOptions(options, selection);
  const cases = select(suite.cases, selection).map(({ entry }) => entry.id);
  await testEach(run, cases, (driver, ended) => testDriver(driver, selection, run, ended));
  return suite;
}

async function testDriver(
  driver: NamedDriver,
  selection: Selection,
  { suite, options, targets, touched }: TestRun,
  ended: AbortSignal,
): Promise<number> {
  const relay = relayWith(driver, options);
  const isListed = !relay && (options.cases === undefined || options.knownFailures !== undefined);
  const baseline = isListed ? await baselineOf(driver, options) : undefined;
  const reporter = await openReporters(targets, suite);
  const run = await runSuite({
    ...runOptions(options, reporter, ended),
    driver,
    ...relay,
    suite,
    select: selection,
    ...(options.cases !== undefined && { casesFolder: options.cases }),
    ...(touched !== "everything" && { only: ({ entry }) => isTouched(touched, entry.id) }),
    ...(options.shard && { shard: options.shard }),
    // While the list is made, what it said so far does not count.
    knownFailures: (!options.updateKnownFailures && baseline?.list) || null,
  });
  const report =
    baseline && options.updateKnownFailures ? await updateBaseline(baseline, run.report, driver, suite) : run.report;
  if (options.probe && report.implementation && !ended.aborted)
    report.undeclared = await undeclaredFeatures({ driver, suite, handshake: report.implementation });
  const isPrinted = endReport(reporter, report, driver, targets);
  const isWholeRun =
    isWhole(selection) &&
    options.cases === undefined &&
    touched === "everything" &&
    !options.shard &&
    !options.level &&
    isComplete(report.variants);
  if (isPrinted && !relay && isWholeRun) console.log(await certifiedLine(report, suite));
  if (isPrinted && relay) for (const line of relay.summary(report.variants)) console.log(line);
  if (isPrinted && report.totals.fail > 0) for (const line of await whereToBegin(report, suite)) console.log(line);
  return exitCodeOf({ report });
}

/** The last lines of a red run: one case, and the command that runs it alone. */
async function whereToBegin(report: Report, suite: Suite): Promise<string[]> {
  const { beginHere } = await import("../teaching/stages/begin-here.ts");
  const first = await beginHere(report, suite);
  if (!first) return [];
  const { title } = suite.cases.find(({ id }) => id === first.case)!.case;
  return [`begin here: ${first.case}  ${title}`, ...(first.repro === undefined ? [] : [`  ${first.repro}`])];
}

function selectionOf(options: TestOptions, suite: Suite): Selection {
  const { requirements, features } = suite.catalogue;
  expectKnown(
    "--requires",
    options.requires,
    [...requirements.keys()],
    `see them with: ${commandLine} list requirements`,
  );
  const untested = options.requires?.find((id) => requirements.get(id)?.untestable !== undefined);
  if (untested !== undefined)
    throw new UsageError(`no case tests ${untested}: ${requirements.get(untested)!.untestable}`);
  expectKnown("--feature", options.feature, [...features.keys()]);
  expectKnown("--provider", options.provider, ["generic", ...providers]);
  const named = options.variant?.filter((wanted) => !isVariantName(wanted));
  expectKnown("--variant", named, variantNames);
  const odd = options.case?.find((pattern) => select(suite.cases, { cases: [pattern] }).length === 0);
  if (odd !== undefined && suite.cases.length > 0)
    throw new UsageError(
      `--case ${odd} fits no case; ${whichName(
        odd,
        suite.cases.map(({ id }) => id),
        `see them with: ${commandLine} list cases`,
      )}`,
    );
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
      ? `there are no cases in ${options.cases ?? "conformance/cases"}`
      : `no variant of any case fits these options; see the cases with: ${commandLine} list cases`,
  );
}

function expectKnown(option: string, values: string[] | undefined, names: readonly string[], otherwise?: string): void {
  const unknown = values?.find((value) => !names.includes(value));
  if (unknown !== undefined)
    throw new UsageError(`${option} ${unknown || '""'} is not known; ${whichName(unknown, names, otherwise)}`);
}
