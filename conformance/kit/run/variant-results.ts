// Keeps the verdict of each selected variant, and what comes to light after a run that changes it.

import type { Failure, RequirementLevel, VariantResult } from "../../../schemas/types.ts";
import type { Stray } from "../wire/provider-server.ts";
import type { Selected } from "../suite/selection.ts";
import type { SuiteCase } from "../suite/types.ts";
import type { Requirements } from "../checks/findings.ts";
import type { EndRequirement } from "../driver/session.ts";
import { findingsAfter } from "./verdict.ts";
import type { Judged } from "./verdict.ts";
import { failureOf, isQuiet } from "./verdicts.ts";
import { testedAt } from "../suite/levels.ts";

/** Where verdicts are reported, and how a person reproduces one. */
export interface ResultsOptions {
  selected: readonly Selected[];
  /** @param split the split under which it failed; absent: it failed without one */
  repro(selected: Selected, split?: number): string;
  onResult(result: VariantResult): void;
  requirements: Requirements;
  /** Nothing beyond this level counts. Absent: everything does. */
  level?: RequirementLevel;
}

/** The results of one run of the suite. */
export class VariantResults {
  readonly #options: ResultsOptions;
  readonly #results: (VariantResult | undefined)[];
  /** Which variant a run belonged to. */
  readonly #indexOfRun = new Map<string, number>();
  /** What was done after a run of a variant that has no verdict yet. */
  readonly #late = new Map<number, Failure>();

  constructor(options: ResultsOptions) {
    this.#options = options;
    this.#results = options.selected.map(() => undefined);
  }

  /** A run of a variant begins. */
  begin(run: string, index: number): void {
    this.#indexOfRun.set(run, index);
  }

  /** The run was given up: late requests in it are ignored. */
  giveUp(run: string): void {
    this.#indexOfRun.delete(run);
  }

  set(index: number, judged: Judged, split?: number): void {
    const selected = this.#options.selected[index]!;
    const { entry, variant } = selected;
    const { verdict, ...more } = judged;
    const isRed = !isQuiet(verdict) || judged.failures !== undefined;
    const result: VariantResult = {
      check: checkOf(entry),
      case: entry.id,
      requirement: this.#tested(entry),
      variant: variant.name,
      verdict,
      duration_ms: 0,
      ...more,
      ...(isRed && { repro: this.#options.repro(selected, split) }),
    };
    this.#results[index] = result;
    this.#options.onResult(result);
    const late = this.#late.get(index);
    this.#late.delete(index);
    if (late) this.#add(index, late);
  }

  /** Something happened after the end of a run that is its fault. */
  lateMessage(run: string, error: Error): void {
    const failure = failureOf(error);
    if (failure) this.#blameRun(run, { ...failure, message: `after the run had been answered: ${failure.message}` });
  }

  /** The driver did not end as it was asked to: that is found beside the run that it had played last, and fails none. @see KIT-41 */
  endedBadly(run: string, requirement: EndRequirement, error: Error): void {
    const failure = failureOf(error);
    if (!failure) return;
    const message = `when the driver was asked to end: ${failure.message}`;
    this.#blameRun(run, { ...failure, requirement, message });
  }

  /** Requests to runs that had ended. @see LOOP-28 */
  blameFor(strays: readonly Stray[]): void {
    for (const { method, path } of strays) {
      const run = path.split("/")[1] ?? "";
      const message = `${method} ${path} arrived after the run had been answered`;
      const { verdict, failures } = this.#results[this.#indexOfRun.get(run) ?? -1] ?? {};
      if (verdict === "pass" && failures === undefined)
        this.#blameRun(run, { code: "unmatched_request", requirement: "LOOP-28", message });
    }
  }

  /** What has no verdict yet was not run. Nothing is said of each: there may be thousands. */
  leave(reason: string): void {
    for (const [index, { entry, variant }] of this.#options.selected.entries())
      this.#results[index] ??= {
        check: checkOf(entry),
        case: entry.id,
        requirement: this.#tested(entry),
        variant: variant.name,
        verdict: "not-run",
        duration_ms: 0,
        reason,
      };
  }

  /** Every result. A variant without one is the kit's fault. */
  finish(): VariantResult[] {
    for (const index of this.#results.keys())
      if (!this.#results[index]) this.set(index, { verdict: "harness-error", reason: "the kit lost this variant" });
    return this.#results as VariantResult[];
  }

  /** The verdict of a variant so far. */
  at(index: number): VariantResult | undefined {
    return this.#results[index];
  }

  /** Something came to light that is wrong in a variant which has its verdict. */
  blame(index: number, failure: Failure): void {
    this.#add(index, failure);
  }

  /** The kit failed while it played a variant. */
  kitFailed(index: number, error: Error): void {
    this.set(index, { verdict: "harness-error", reason: `the kit failed: ${error.stack ?? error.message}` });
  }

  #tested({ case: { requires } }: SuiteCase): string {
    return testedAt(requires, this.#options.requirements, this.#options.level)!;
  }

  #blameRun(run: string, failure: Failure): void {
    const index = this.#indexOfRun.get(run);
    if (index === undefined) return;
    if (this.#results[index]) this.#add(index, failure);
    else if (!this.#late.has(index)) this.#late.set(index, failure);
  }

  /** The verdict is reported again only if it changes. */
  #add(index: number, failure: Failure): void {
    const result = this.#results[index]!;
    const { reason: _, ...others } = result;
    const { verdict, requirement: tested, failures = [], exchanges = [] } = others;
    // The same mistake a thousand times is one failure.
    const isKnown = failures.some(({ message }) => message === failure.message);
    if (verdict === "harness-error" || isKnown) return;
    const all = [...failures, failure];
    const findings = findingsAfter(tested, all, this.#options.requirements, result.findings);
    const changed = { findings, failures: all, exchanges };
    const isTested = (failure.requirement ?? tested) === tested;
    if (verdict !== "fail" && isTested) return this.set(index, { ...others, ...changed, verdict: "fail" });
    this.#results[index] = { ...result, ...changed };
  }
}

/** How a check of a case is called. */
export function checkOf(entry: SuiteCase): string {
  return `${entry.id}#${entry.case.requires[0]}`;
}
