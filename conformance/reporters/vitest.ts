// Registers one vitest test for each variant of the suite, with the engine and the verdicts of `agent-loop test`.

import { afterAll, beforeAll, describe, test } from "vitest";
import type { VariantResult } from "../../schemas/types.ts";
import { commandLine } from "../kit/base/cli-name.ts";
import { findDriver } from "../kit/driver/command.ts";
import type { DriverCommand } from "../kit/driver/types.ts";
import { inProcess } from "../kit/driver/in-process.ts";
import type { MakeDriver } from "../kit/driver/in-process.ts";
import { readKnownFailures } from "../kit/run/known-failures-file.ts";
import { runSuite } from "../kit/run/runner.ts";
import { newSeed } from "../kit/base/seeded-random.ts";
import { select } from "../kit/suite/selection.ts";
import type { Selected, Selection } from "../kit/suite/selection.ts";
import { splitsOf } from "../kit/wire/split-stream.ts";
import type { Repeatable } from "../kit/run/repro-options.ts";
import type { TestedDriver } from "../kit/run/types.ts";
import { locate } from "../kit/run/make-report.ts";
import type { Report } from "../kit/run/make-report.ts";
import type { Suite } from "../kit/suite/types.ts";
import { loadSuite } from "../kit/suite/suite.ts";
import { exitCodeOf, isQuiet } from "../kit/run/verdicts.ts";
import { plainDetails } from "./failure-details.ts";

export { KitError } from "../kit/driver/in-process.ts";
export type { DriverMethods, Kit, MakeDriver } from "../kit/driver/in-process.ts";

/** What to test, and how. */
export interface ConformanceOptions {
  /** The implementation: a function that makes a driver in this process, a program, or what `--driver` takes. */
  driver: MakeDriver | { command: [string, ...string[]]; cwd?: string } | string;
  /** Absent: everything. */
  select?: Selection;
  /** The version of the suite, such as 1.0, so that a newer kit turns nothing red. Absent: the newest. */
  suite?: string;
  /** A file of known failures. Absent: none. */
  knownFailures?: string;
  /** How many splits of its stream each streamed variant is played with beside. Absent: 0. */
  splits?: number;
  /** Repeats the random ids, words and splits of an earlier run. */
  seed?: number;
  /** How long one run may take, in milliseconds. */
  timeoutMs?: number;
  /** What the tests are called together. */
  name?: string;
}

/**
 * Registers the tests, one for each selected variant: `<case> <variant>`. A variant that the driver does not support is skipped.
 * Only those run that vitest selects.
 * @see KIT-2 KIT-3
 */
export function conformance(options: ConformanceOptions): void {
  const name = options.name ?? "agent loop conformance";
  describe(name, async () => {
    const suite = await loadSuite(options.suite === undefined ? {} : { version: options.suite });
    const selected = select(suite.cases, options.select ?? {});
    if (selected.length === 0)
      throw new Error(
        `select fits no variant: ${JSON.stringify(options.select)}; see the cases with: ${commandLine} list cases`,
      );
    const run = new ConformanceRun(options, suite, name);
    // The kit itself gives up what takes too long. No fixture is asked for, and vitest wants it said with a pattern.
    // oxlint-disable-next-line eslint/no-empty-pattern
    beforeAll(({}, { tasks }) => {
      const running = selectedBy(tasks, selected);
      return run.start(running, running.length === selected.length);
    }, 0);
    for (const one of selected)
      test(titleOf(one.entry.id, one.variant.name), { timeout: 0 }, async ({ skip }) => {
        const result = await run.resultOf(one);
        if (result.verdict === "unsupported" || result.verdict === "not-applicable") skip(result.reason);
        if (!isQuiet(result.verdict)) throw await failed(result, one, suite);
      });
    afterAll(() => run.end(), 0);
  });
}

/** The selected variants whose tests vitest is going to run. */
function selectedBy(tasks: readonly { name: string; mode: string }[], selected: readonly Selected[]): Selected[] {
  const running = new Set(tasks.filter(({ mode }) => mode === "run" || mode === "queued").map(({ name }) => name));
  return selected.filter(({ entry, variant }) => running.has(titleOf(entry.id, variant.name)));
}

/** One run of the suite, whose verdicts come while tests wait for them. */
class ConformanceRun {
  readonly #options: ConformanceOptions;
  readonly #suite: Suite;
  readonly #name: string;
  readonly #awaited = new Map<string, PromiseWithResolvers<VariantResult>>();
  readonly #results = new Map<string, VariantResult>();
  #report: Promise<Report> | undefined;

  constructor(options: ConformanceOptions, suite: Suite, name: string) {
    this.#options = options;
    this.#suite = suite;
    this.#name = name;
  }

  /** Begins the run; the verdicts come one by one. */
  async start(selected: readonly Selected[], isAll: boolean): Promise<void> {
    if (selected.length === 0) return;
    const { knownFailures, splits = 0, timeoutMs, seed = newSeed() } = this.#options;
    const known = knownFailures === undefined ? null : await readKnownFailures(knownFailures);
    const wanted = new Set(selected.map(({ entry, variant }) => titleOf(entry.id, variant.name)));
    for (const title of wanted) this.#await(title);
    const running = runSuite({
      driver: driverOf(this.#options.driver),
      suite: this.#suite,
      select: this.#options.select ?? {},
      ...(!isAll && { only: ({ entry, variant }) => wanted.has(titleOf(entry.id, variant.name)) }),
      knownFailures: known,
      seed,
      splits: splitsOf(seed, splits),
      ...(timeoutMs !== undefined && { timeoutMs }),
      repro: (failure) => this.#repro(failure),
      onResult: (result) => this.#receive(result),
    });
    this.#report = running.then(({ report }) => report);
    // Pending tests fail with it; `end` throws it.
    this.#report.catch((error: unknown) => {
      for (const { reject } of this.#awaited.values()) reject(error);
    });
  }

  #await(title: string): void {
    const awaited = Promise.withResolvers<VariantResult>();
    // It may fail before its test has begun.
    awaited.promise.catch(() => undefined);
    this.#awaited.set(title, awaited);
  }

  async resultOf({ entry, variant }: Selected): Promise<VariantResult> {
    return await this.#awaited.get(titleOf(entry.id, variant.name))!.promise;
  }

  /** What is wrong beside the verdicts that the tests have had. */
  async end(): Promise<void> {
    const report = await this.#report;
    if (!report) return;
    const changed = report.variants.find((result) => {
      const known = this.#results.get(titleOf(result.case, result.variant));
      return known && isQuiet(known.verdict) && !isQuiet(result.verdict);
    });
    if (changed) throw inFull(changed, this.#suite);
    const [problem] = report.problems ?? [];
    if (problem) throw new Error(`${problem.file}:${problem.line ?? 1} ${problem.message}`);
    if (exitCodeOf({ report }) !== 0 && report.variants.every(({ verdict }) => isQuiet(verdict)))
      throw new Error("nothing was executed; say with select what the driver supports");
  }

  #receive(result: VariantResult): void {
    const title = titleOf(result.case, result.variant);
    if (!this.#results.has(title)) this.#results.set(title, result);
    this.#awaited.get(title)?.resolve(result);
  }

  #repro({ case: id, variant, seed, split }: Repeatable): string {
    const cut = split === undefined ? "" : `, splits: ${this.#options.splits}`;
    return `npx vitest run -t '${this.#name} ${titleOf(id, variant)}' (with seed: ${seed}${cut})`;
  }
}

function titleOf(id: string, variant: string): string {
  return `${id} ${variant}`;
}

function driverOf(driver: ConformanceOptions["driver"]): TestedDriver {
  if (typeof driver === "string") return findDriver(driver);
  if (typeof driver === "function") return { name: "in process", argument: "", command: inProcess(driver) };
  const { command, cwd } = driver;
  const program: DriverCommand = { argv: command, ...(cwd !== undefined && { cwd }) };
  return { name: command.join(" "), argument: command.join(" "), command: program };
}

/** A variant that is red, with the line of its case to look at. */
async function failed(result: VariantResult, selected: Selected, suite: Suite): Promise<Error> {
  const located = { ...result };
  await locate([located], [selected]);
  return inFull(located, suite);
}

/** What a person reads of it. */
function inFull(result: VariantResult, suite: Suite): Error {
  const error = new Error(plainDetails(result, suite));
  // The place in the kit where it was thrown is irrelevant.
  error.stack = error.message;
  return error;
}
