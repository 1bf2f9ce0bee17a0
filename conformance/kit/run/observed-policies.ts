// What a whole run shows of the behaviours that are all defensible: how often each was seen.

import type { ObservedPolicy, VariantResult } from "../../../schemas/types.ts";

/** One entry for each policy of which something was seen, by name, with the choices most often seen first. @see REPORT-16 */
export function observedPolicies(variants: readonly Pick<VariantResult, "observed">[]): ObservedPolicy[] {
  const seen = Map.groupBy(
    variants.flatMap(({ observed = [] }) => observed),
    ({ policy }) => policy,
  );
  return [...seen]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([policy, shown]) => ({ policy, choices: counts(shown.map(({ choice }) => choice)) }));
}

function counts(choices: readonly string[]): Record<string, number> {
  const groups = [...Map.groupBy(choices, (choice) => choice)].map(([choice, all]) => [choice, all.length] as const);
  return Object.fromEntries(groups.toSorted(([, one], [, other]) => other - one));
}
