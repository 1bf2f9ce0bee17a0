// Finds the cases that kill no mutant at all, so that each is removed or has a reason to stay.

import type { Suite, SuiteCase } from "../../kit/index.ts";
import { variantsOf } from "../../kit/variant.ts";
import type { Idle, Mutant } from "./read-mutants.ts";
import { isNear, runCases } from "./try-mutant.ts";
import type { ReferenceCopy } from "./reference-copy.ts";

/** How one mutant after another is given to a copy of the reference. */
export type ForEachMutant = (
  mutants: readonly Mutant[],
  use: (mutant: Mutant, copy: ReferenceCopy) => Promise<void>,
) => Promise<void>;

/**
 * The cases that see no mutant of any requirement. Only cases that have killed nothing yet are run: first against the mutants of
 * their own requirement, then against all, where the fault is near, at last against all, everywhere.
 * @param known cases that have killed a mutant already
 * @param tell hears how many cases are left
 */
export async function findIdle(
  suite: Suite,
  mutants: readonly Mutant[],
  known: ReadonlySet<string>,
  forEach: ForEachMutant,
  tell: (left: number) => void = () => undefined,
): Promise<string[]> {
  const left = new Map(suite.cases.filter(({ id }) => !known.has(id)).map((entry) => [entry.id, entry]));
  const pass = (casesFor: (mutant: Mutant, cases: SuiteCase[]) => SuiteCase[], isNearOnly: boolean) =>
    forEach(mutants, async (mutant, { driver }) => {
      const cases = casesFor(mutant, [...left.values()]);
      const near = [...new Set(cases.flatMap((entry) => nearVariants(mutant, entry)))];
      if (cases.length === 0 || (isNearOnly && near.length === 0)) return;
      const { killers } = await runCases(driver, suite, cases, isNearOnly ? { variants: near } : {});
      for (const id of killers) left.delete(id);
      tell(left.size);
    });
  const own = ({ requirement }: Mutant, cases: SuiteCase[]) =>
    cases.filter(({ case: { requires } }) => requires[0] === requirement);
  await pass(own, false);
  await pass((mutant, cases) => cases.filter((entry) => nearVariants(mutant, entry).length > 0), true);
  await pass((_, cases) => cases, false);
  return [...left.keys()].sort();
}

function nearVariants({ file }: Mutant, { case: source }: SuiteCase): string[] {
  return variantsOf(source)
    .map(({ name }) => name)
    .filter((name) => isNear(file, name));
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
