// What a report says of the behaviours that were observed: which choice the loop makes where several are right, and where it makes several.

import type { ObservedPolicy } from "../../schemas/types.ts";
import type { Report } from "../kit/index.ts";
import { observedPolicies } from "../kit/run/observed-policies.ts";

/** One policy, and the choices that were seen, the most frequent first. */
export interface ShownPolicy {
  policy: string;
  /** `answered`, or `answered in 4, raised in 2` where a loop does not always do the same. */
  words: string;
}

/** What was seen of each policy, by name. @see REPORT-16 */
export function shownPolicies({ variants }: Pick<Report, "variants">): ShownPolicy[] {
  return inWords(observedPolicies(variants));
}

/** `observed: batch serial; tool_exception answered in 4, raised in 2`; nothing where nothing was seen. */
export function observedLine({ variants }: Pick<Report, "variants">): string | undefined {
  return policiesLine(observedPolicies(variants));
}

/** The same of what was counted before. */
export function policiesLine(observed: readonly ObservedPolicy[]): string | undefined {
  const shown = inWords(observed);
  return shown.length === 0
    ? undefined
    : `observed: ${shown.map(({ policy, words }) => `${policy} ${words}`).join("; ")}`;
}

function inWords(observed: readonly ObservedPolicy[]): ShownPolicy[] {
  return observed.map(({ policy, choices }) => ({ policy, words: wordsOf(choices) }));
}

function wordsOf(choices: Readonly<Record<string, number>>): string {
  const all = Object.entries(choices);
  return all.length === 1 ? all[0]![0] : all.map(([choice, count]) => `${choice} in ${count}`).join(", ");
}
