// Finds the cases that see no fault of the requirement that they test, and holds them against the list of those that stay.

import type { Suite } from "../../kit/index.ts";
import { matchesPattern } from "../../kit/selection.ts";
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
 * @param tell hears how many cases are left
 */
export async function findIdle(
  suite: Suite,
  mutants: readonly Mutant[],
  known: ReadonlySet<string>,
  forEach: ForEachMutant,
  tell: (left: number) => void = () => undefined,
): Promise<string[]> {
  const left = new Set(casesOf(suite, mutants).filter((id) => !known.has(id)));
  await forEach(mutants, async ({ requirement }, { driver }) => {
    const own = suite.cases.filter(({ id, case: { requires } }) => left.has(id) && requires[0] === requirement);
    if (own.length === 0) return;
    const { killers } = await runCases(driver, suite, own, {});
    for (const id of killers) left.delete(id);
    tell(left.size);
  });
  return [...left].sort();
}

/** The cases of the requirements that these mutants break. */
export function casesOf({ cases }: Suite, mutants: readonly Mutant[]): string[] {
  const broken = new Set(mutants.map(({ requirement }) => requirement));
  return cases.filter(({ case: { requires } }) => broken.has(requires[0]!)).map(({ id }) => id);
}

/**
 * What is wrong with the list of idle cases: those that it does not have, and what it says of cases that are not idle.
 * @param found the idle ones among `tried`
 */
export function idleProblems(found: readonly string[], tried: readonly string[], listed: readonly Idle[]): string[] {
  const patterns = listed.flatMap(({ cases }) => cases);
  const unlisted = found.filter((id) => !patterns.some((pattern) => matchesPattern(pattern, id)));
  const killers = tried.filter((id) => !found.includes(id));
  const stale = patterns.flatMap((pattern) => {
    const wrong = killers.filter((id) => matchesPattern(pattern, id));
    return wrong.length === 0 ? [] : [[pattern, wrong.join(", ")] as const];
  });
  return [
    ...unlisted.map(
      (id) =>
        `${id} sees no fault of its requirement: write the one that it is for, remove it, or list it in idle.yaml`,
    ),
    ...stale.map(
      ([pattern, ids]) =>
        `${pattern} in idle.yaml: ${ids} sees a fault of its requirement, and is not idle: take it out`,
    ),
  ];
}

/** What is wrong with the list, whatever is idle: groups without cases, and cases in two groups. */
export function listProblems(ids: readonly string[], listed: readonly Idle[]): string[] {
  const patterns = listed.flatMap(({ cases }) => cases);
  const empty = patterns.filter((pattern) => !ids.some((id) => matchesPattern(pattern, id)));
  const twice = ids.filter((id) => patterns.filter((pattern) => matchesPattern(pattern, id)).length > 1);
  return [
    ...empty.map((pattern) => `${pattern} in idle.yaml names no case: take it out, or correct it`),
    ...twice.map((id) => `${id} is named twice in idle.yaml: a case has one reason to stay`),
  ];
}
