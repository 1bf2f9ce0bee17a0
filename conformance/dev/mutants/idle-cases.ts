// Finds the cases that see no fault of the requirement that they test, and holds them against the list of those that stay.

import type { Suite } from "../../kit/index.ts";
import type { Idle, Mutant } from "./read-mutants.ts";
import type { ReferenceCopy } from "./reference-copy.ts";
import { runCases } from "./try-mutant.ts";

/** How one mutant after another is given to a copy of the reference. */
export type ForEachMutant = (
  mutants: readonly Mutant[],
  use: (mutant: Mutant, copy: ReferenceCopy) => Promise<void>,
) => Promise<void>;

/**
 * The cases, of the requirements of these mutants, that see no fault of theirs. That a case sees faults of other requirements shows
 * little: where the model is never asked nearly every case is red. Only cases that have killed nothing yet are run, on all their variants.
 * @param known cases that have killed a mutant of theirs already
 * @param onProgress called with the number of cases left
 */
export async function findIdle(
  suite: Suite,
  mutants: readonly Mutant[],
  known: ReadonlySet<string>,
  forEach: ForEachMutant,
  onProgress: (left: number) => void = () => undefined,
): Promise<string[]> {
  const left = new Set(casesOf(suite, mutants).filter((id) => !known.has(id)));
  await forEach(mutants, async ({ requirement }, { driver }) => {
    const own = suite.cases.filter(({ id, case: { requires } }) => left.has(id) && requires[0] === requirement);
    if (own.length === 0) return;
    const { killers } = await runCases(driver, suite, own, {});
    for (const id of killers) left.delete(id);
    onProgress(left.size);
  });
  return [...left].sort();
}

/** The cases of the requirements that these mutants break. */
export function casesOf({ cases }: Suite, mutants: readonly Mutant[]): string[] {
  const broken = new Set(mutants.map(({ requirement }) => requirement));
  return cases.filter(({ case: { requires } }) => broken.has(requires[0]!)).map(({ id }) => id);
}

/**
 * What is wrong with the list of idle cases: those that it does not have, and those that are not idle.
 * @param found the idle ones among `tried`
 */
export function idleProblems(found: readonly string[], tried: readonly string[], listed: readonly Idle[]): string[] {
  const names = listed.map((one) => one.case);
  const unlisted = found.filter((id) => !names.includes(id));
  const stale = names.filter((id) => tried.includes(id) && !found.includes(id));
  return [
    ...unlisted.map(
      (id) =>
        `${id} sees no fault of its requirement: write the one that it is for, remove it, or list it in idle.yaml with the reason`,
    ),
    ...stale.map((id) => `${id} in idle.yaml sees a fault of its requirement, and is not idle: take it out`),
  ];
}

/** What is wrong with the list, whatever is idle: names of no case, and cases that are named twice. */
export function listProblems(ids: readonly string[], listed: readonly Idle[]): string[] {
  const names = listed.map((one) => one.case);
  const twice = new Set(names.filter((id, i) => names.indexOf(id) !== i));
  return [
    ...names
      .filter((id) => !ids.includes(id))
      .map((id) => `${id} in idle.yaml names no case: take it out, or correct it`),
    ...[...twice].map((id) => `${id} is named twice in idle.yaml: a case has one reason to stay`),
  ];
}
