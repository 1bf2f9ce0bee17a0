// What a relay has handed over of what its two drivers share, feature by feature, and what it has not, with the reason.

import type { InitializeResult, VariantResult } from "../../../schemas/types.ts";
import type { SuiteCase } from "../suite/types.ts";
import { counted } from "../base/plural.ts";
import { whyNotHandedOver } from "./cases.ts";
import type { Manner } from "./cases.ts";

/** What runs without a feature are counted under. */
const withoutFeature = "core";

/** Counts what was handed over in one run of the suite. @see KIT-36 */
export class RelayCoverage {
  #shared: readonly string[] = [];

  /** Whether both drivers keep journals, so that one can take a run from the other. */
  get keepJournals(): boolean {
    return this.#shared.includes("journal");
  }

  readonly #runs = new Map<string, { features: readonly string[]; manner: Manner; times: number }>();

  /** The two drivers have introduced themselves. */
  between(first: InitializeResult, second: InitializeResult): void {
    this.#shared = (first.features ?? []).filter((feature) => second.features?.includes(feature));
  }

  /** A run was handed over once more. */
  handedOver(run: string, { case: { features = [] } }: Pick<SuiteCase, "case">, manner: Manner): void {
    const { times = 0 } = this.#runs.get(run) ?? {};
    this.#runs.set(run, { features, manner, times: times + 1 });
  }

  /** What was covered, and what was not, as lines for people. Empty before the drivers have introduced themselves. */
  lines(variants: readonly VariantResult[]): string[] {
    if (variants.every(({ verdict }) => verdict === "not-run")) return [];
    const runs = [...this.#runs.values()];
    const times = runs.reduce((sum, one) => sum + one.times, 0);
    const manners = [...Map.groupBy(runs, ({ manner }) => manner)].map(
      ([manner, of]) => `by ${manner} ${of.reduce((sum, one) => sum + one.times, 0)}`,
    );
    const counts = new Map<string, number>();
    for (const { features } of runs)
      for (const name of features.length > 0 ? features : [withoutFeature])
        counts.set(name, (counts.get(name) ?? 0) + 1);
    const covered = [withoutFeature, ...this.#shared].filter((name) => counts.has(name));
    const missed = this.#shared.filter((name) => !counts.has(name));
    const reasons = Map.groupBy(missed, whyNotHandedOver);
    return [
      `handed over ${counted(times, "time")} in ${counted(runs.length, "run")}: ${manners.join(", ")}`,
      `covered: ${covered.map((name) => `${name} ${counts.get(name)}`).join(", ")}`,
      ...[...reasons].map(([why, names]) => `not covered: ${names.join(", ")}: ${why}`),
    ];
  }
}
