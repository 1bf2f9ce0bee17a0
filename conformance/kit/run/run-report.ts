// What a run of the suite reports: its header, each verdict as published, and the report at the end.

import type { InitializeResult, ReportHeader, VariantResult } from "../../../schemas/types.ts";
import { commandLine } from "../base/cli-name.ts";
import { besideList } from "./known-failures.ts";
import type { NamedVariant } from "./known-failures.ts";
import { locate, makeFooter, makeHeader } from "./make-report.ts";
import { quoteWord } from "../driver/quote-word.ts";
import { redact } from "../base/redact.ts";
import { repeatOptions, usualTimeoutMs } from "./repro-options.ts";
import type { Repeatable } from "./repro-options.ts";
import { problemsOf } from "./run-problems.ts";
import { isWhole } from "../suite/selection.ts";
import type { Selected } from "../suite/selection.ts";
import type { RunSuiteOptions, SuiteRun, TestedDriver } from "./types.ts";
import type { Suite } from "../suite/types.ts";
import { suiteVersion } from "../suite/suite-version.ts";
import { checkOf } from "./variant-results.ts";

/** What is run. */
export interface PlannedRun {
  driver: TestedDriver;
  suite: Suite;
  options: RunSuiteOptions;
  seed: number;
  /** Everything that was selected, of which this run may be only a shard. */
  selection: readonly Selected[];
  selected: readonly Selected[];
}

/** Reports one run. */
export class RunReport {
  readonly #planned: PlannedRun;
  readonly #startedAt = performance.now();

  constructor(planned: PlannedRun) {
    this.#planned = planned;
  }

  header(handshake: InitializeResult | undefined): ReportHeader {
    const { driver, suite, options, seed, selection, selected } = this.#planned;
    return redact(
      makeHeader({
        driver: driver.name,
        handshake,
        seed,
        splits: options.splits,
        profiles: this.#isEverything ? (driver.manifest?.profiles ?? []) : [],
        suiteVersion: suiteVersion(suite.cases),
        selection,
        selected: selected.length,
        level: options.level,
        shard: options.shard,
        jobs: options.jobs,
      }),
    );
  }

  /** A result as published: its verdict relative to the known failures, without secrets. A late message may still change it. @see KIT-9 REPORT-5 */
  published(result: VariantResult): VariantResult {
    const { knownFailures } = this.#planned.options;
    return redact(knownFailures ? besideList(knownFailures, result) : result);
  }

  /** The command that repeats a variant, with the split under which it failed. */
  repro({ entry, variant }: Selected, split?: number): string {
    const { driver, options, seed } = this.#planned;
    const { timeoutMs = usualTimeoutMs } = options;
    const failed: Repeatable = {
      case: entry.id,
      variant: variant.name,
      seed,
      ...(options.casesFolder !== undefined && { casesFolder: options.casesFolder }),
      ...(split !== undefined && { split }),
      ...(timeoutMs !== usualTimeoutMs && { timeoutMs }),
    };
    if (options.repro) return options.repro(failed);
    return `${commandLine} test --driver ${quoteWord(driver.argument)} ${repeatOptions(failed)}`;
  }

  /** Whether everything was selected, of which this run may be only a shard. */
  get #isEverything(): boolean {
    const { select = {}, only, level, casesFolder } = this.#planned.options;
    return casesFolder === undefined && isWhole(select) && only === undefined && level === undefined;
  }

  /** The whole report, when every variant has its verdict. */
  async finish(header: ReportHeader, results: VariantResult[], failed: string | undefined): Promise<SuiteRun> {
    const { driver, suite, options, selection, selected } = this.#planned;
    const isEverything = this.#isEverything;
    await locate(results, selected);
    const variants = results.map((result) => this.published(result));
    const problems = await problemsOf({
      driver,
      handshake: header.implementation,
      known: options.knownFailures ?? undefined,
      suite,
      variants,
      isWhole: isEverything && options.shard === undefined,
      ...(isEverything && options.shard && { everything: selection.map(nameOf) }),
    });
    const duration_ms = performance.now() - this.#startedAt;
    const footer = redact(makeFooter(variants, { duration_ms, startError: failed, problems }));
    const { start_error: startError } = footer;
    return { report: { ...header, ...footer, variants }, driver, ...(startError !== undefined && { startError }) };
  }
}

function nameOf({ entry, variant }: Selected): NamedVariant {
  return { check: checkOf(entry), variant: variant.name };
}
