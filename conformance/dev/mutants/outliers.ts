// Mutants that break much beside their own requirement: each is explained in outliers.yaml, and nothing else is.

import type { Outlier } from "./read-mutants.ts";
import type { Tried } from "./try-mutant.ts";

/** So many other requirements may be red beside the named one without an explanation. */
export const mostBeside = 5;

/** Whether a reader of the report sees so much red that it takes a word to say where it comes from. */
export function isOutlier({ beside }: Pick<Tried, "beside">): boolean {
  return beside.length > mostBeside;
}

/** The outliers that nobody has explained, and the explanations of what is none. Mutants that were not tried are left out. */
export function outlierProblems(tried: readonly Tried[], listed: readonly Outlier[]): string[] {
  const explained = new Set(listed.map(({ mutant }) => mutant));
  const missing = tried.filter((one) => isOutlier(one) && !explained.has(one.mutant.id));
  const stale = tried.filter((one) => !isOutlier(one) && explained.has(one.mutant.id));
  return [
    ...missing.map(
      ({ mutant: { id, requirement }, beside }) =>
        `${id} breaks ${beside.length} requirements beside ${requirement} (${beside.join(", ")}): say why in conformance/mutants/outliers.yaml`,
    ),
    ...stale.map(
      ({ mutant: { id }, beside }) =>
        `${id} in outliers.yaml breaks no more than ${mostBeside} others any more (${beside.length}): take it out`,
    ),
  ];
}

/** What is wrong with the list itself. */
export function outlierListProblems(mutants: readonly string[], listed: readonly Outlier[]): string[] {
  return listed.flatMap(({ mutant }, at) => [
    ...(mutants.includes(mutant) ? [] : [`${mutant} in outliers.yaml names no mutant`]),
    ...(listed.findIndex((one) => one.mutant === mutant) < at ? [`${mutant} is named twice in outliers.yaml`] : []),
  ]);
}

/** How many other requirements are red beside the named one: in the median, and at most. */
export function besideCounts(tried: readonly Pick<Tried, "beside">[]): { median: number; most: number } {
  const counts = tried.map(({ beside }) => beside.length).sort((left, right) => left - right);
  return { median: counts[Math.floor(counts.length / 2)] ?? 0, most: counts.at(-1) ?? 0 };
}
