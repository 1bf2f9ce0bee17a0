// Finds the cases that kill no mutant at all, so that each is removed or has a reason to stay.

import type { Suite, SuiteCase } from "../../kit/index.ts";
import type { Idle, Mutant } from "./read-mutants.ts";
import { runCases } from "./try-mutant.ts";
import type { ReferenceCopy } from "./reference-copy.ts";

/** How one mutant after another is given to a copy of the reference. */
export type ForEachMutant = (
  mutants: readonly Mutant[],
  use: (mutant: Mutant, copy: ReferenceCopy) => Promise<void>,
) => Promise<void>;

/**
 * The cases that see no mutant of any requirement. Each mutant is tried on the cases that have killed nothing yet, those of
 * its own requirement on all of their variants.
 * @param known cases that have killed a mutant already
 */
export async function findIdle(
  suite: Suite,
  mutants: readonly Mutant[],
  known: ReadonlySet<string>,
  forEach: ForEachMutant,
): Promise<string[]> {
  const left = new Map(suite.cases.filter(({ id }) => !known.has(id)).map((entry) => [entry.id, entry]));
  const pass = (chosen: (entry: SuiteCase, mutant: Mutant) => boolean) =>
    forEach(mutants, async (mutant, { driver }) => {
      const cases = [...left.values()].filter((entry) => chosen(entry, mutant));
      if (cases.length === 0) return;
      const { killers } = await runCases(driver, suite, cases, {});
      for (const id of killers) left.delete(id);
    });
  await pass(({ case: { requires } }, { requirement }) => requires[0] === requirement);
  await pass(({ case: { requires } }, { requirement }) => chapterOf(requires[0]!) === chapterOf(requirement));
  await pass(() => true);
  return [...left.keys()].sort();
}

/** What is wrong with the list of idle cases: those that have no reason, and those that are no longer idle. */
export function idleProblems(found: readonly string[], idle: readonly Idle[]): string[] {
  const listed = idle.flatMap(({ cases }) => cases);
  const unlisted = found.filter((id) => !listed.includes(id));
  const stale = listed.filter((id) => !found.includes(id));
  return [
    ...unlisted.map(
      (id) => `${id} kills no mutant: write the fault that it is for, remove it, or list it in idle.yaml`,
    ),
    ...stale.map((id) => `${id} is listed in idle.yaml, but kills a mutant or does not exist: take it out`),
  ];
}

function chapterOf(requirement: string): string {
  return requirement.slice(0, requirement.indexOf("-"));
}
