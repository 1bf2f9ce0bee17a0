// What Stryker runs for each mutant: the conformance suite in this process first and, where that sees nothing, the unit tests.

import { pathToFileURL } from "node:url";
import type { InstrumenterContext, StrykerOptions } from "@stryker-mutator/api/core";
import { commonTokens, declareClassPlugin, PluginKind, tokens } from "@stryker-mutator/api/plugin";
import type { Injector, PluginContext } from "@stryker-mutator/api/plugin";
import { DryRunStatus, MutantRunStatus, TestStatus } from "@stryker-mutator/api/test-runner";
import type {
  DryRunOptions,
  DryRunResult,
  MutantRunOptions,
  MutantRunResult,
  TestResult,
  TestRunner,
} from "@stryker-mutator/api/test-runner";
import { strykerPlugins as vitestPlugins } from "@stryker-mutator/vitest-runner";
import type { Selection } from "../../kit/index.ts";
import { Variants } from "./variants.ts";

/** What the mutated code and Stryker exchange. */
const context: InstrumenterContext = ((globalThis as { __stryker__?: InstrumenterContext }).__stryker__ ??= {});

/** How often one variant may come by one mutant. Only what never ends comes by more often. */
const maxHits = 5_000;

/** No mutant is called so. */
const none = "none";

function tooManyHits(most: number): string {
  return `A variant comes by a mutant ${most} times. Set mostHits, which is ${maxHits}, to more than five times as much.`;
}

class SuiteRunner implements TestRunner {
  static readonly inject = tokens(commonTokens.injector, commonTokens.options);
  readonly #vitest: TestRunner;
  readonly #play: Selection[];
  #started: Promise<TestRunner> | undefined;
  #loaded: Promise<Variants> | undefined;

  constructor(injector: Injector<PluginContext>, options: StrykerOptions) {
    this.#vitest = vitestPlugins[0]!.factory(injector);
    this.#play = options["play"] as Selection[];
  }

  /** What is mutated where a module is loaded needs another process. */
  capabilities() {
    return { reloadEnvironment: false };
  }

  async dispose(): Promise<void> {
    await (await this.#started)?.dispose?.();
  }

  async dryRun(options: DryRunOptions): Promise<DryRunResult> {
    const variants = await this.#variants();
    // What runs when a module is loaded would else be credited to the variant that needs it first.
    for (const file of options.files ?? []) await import(pathToFileURL(file).href);
    const tests: TestResult[] = [];
    for (const title of variants.titles) {
      context.currentTestId = title;
      const start = performance.now();
      const wrong = await variants.play(title);
      const test = { id: title, name: title, timeSpentMs: performance.now() - start };
      if (wrong === undefined) tests.push({ ...test, status: TestStatus.Success });
      else tests.push({ ...test, status: TestStatus.Failed, failureMessage: wrong });
    }
    const units = await (await this.#units()).dryRun(options);
    if (units.status !== DryRunStatus.Complete) return units;
    const hits = Object.values(context.mutantCoverage!.perTest).flatMap((counts) => Object.values(counts));
    const most = hits.reduce((left, right) => Math.max(left, right), 0);
    if (most * 5 > maxHits) return { status: DryRunStatus.Error, errorMessage: tooManyHits(most) };
    // What the unit tests run while they are collected is not what runs whenever the reference is loaded.
    const perTest = { ...context.mutantCoverage!.perTest, ...units.mutantCoverage?.perTest };
    return {
      status: DryRunStatus.Complete,
      tests: [...tests, ...units.tests],
      mutantCoverage: { static: context.mutantCoverage!.static, perTest },
    };
  }

  /**
   * What sees the mutant has to see nothing without it: much would fail that is not broken where an earlier mutant has left something
   * behind. Stryker then tries this one again, in a new process. One that changes what runs while a module is loaded is in a new process
   * anyway, and cannot be taken away there.
   */
  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const result = await this.#try(options);
    if (result.status !== MutantRunStatus.Killed || options.mutantActivation === "static") return result;
    const killedBy = [result.killedBy].flat();
    const sound = await this.#try({
      ...options,
      activeMutant: { ...options.activeMutant, id: none },
      testFilter: killedBy,
    });
    if (sound.status === MutantRunStatus.Survived) return result;
    throw new Error(`Something is left of an earlier mutant: ${killedBy[0]} fails without any.`);
  }

  async #try(options: MutantRunOptions): Promise<MutantRunResult> {
    context.activeMutant = options.activeMutant.id;
    context.hitLimit = maxHits;
    const variants = await this.#variants();
    const { titles } = variants;
    const wanted = options.testFilter && new Set(options.testFilter);
    const played = titles.filter((title) => wanted?.has(title) ?? true);
    for (const [index, title] of played.entries()) {
      context.hitCount = 0;
      const failureMessage = await variants.play(title);
      if (context.hitCount > maxHits) return { status: MutantRunStatus.Timeout };
      if (failureMessage === undefined) continue;
      return { status: MutantRunStatus.Killed, killedBy: [title], failureMessage, nrOfTests: index + 1 };
    }
    const own = new Set(titles);
    const units = options.testFilter?.filter((id) => !own.has(id));
    if (units?.length === 0) return { status: MutantRunStatus.Survived, nrOfTests: played.length };
    return await (await this.#units()).mutantRun({ ...options, ...(units && { testFilter: units }) });
  }

  /** Started late: most mutants are seen before. */
  #units(): Promise<TestRunner> {
    return (this.#started ??= this.#startUnits());
  }

  async #startUnits(): Promise<TestRunner> {
    const listeners = process.listeners("unhandledRejection");
    await this.#vitest.init?.();
    // Vitest would end this process for an unhandled rejection; mutated code causes some.
    for (const added of process.listeners("unhandledRejection"))
      if (!listeners.includes(added)) process.off("unhandledRejection", added);
    return this.#vitest;
  }

  /** Loaded late: a mutant may have to be active before. */
  #variants(): Promise<Variants> {
    return (this.#loaded ??= Variants.of(process.cwd(), this.#play));
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, "suite", SuiteRunner)];

/** The one option of this runner: what of the suite is played. */
export const strykerValidationSchema = {
  type: "object",
  properties: { play: { type: "array", items: { type: "object" } } },
};
