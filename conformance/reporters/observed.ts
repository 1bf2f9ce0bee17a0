// What a report says of the behaviours that were observed: which choice the loop makes where several are right, and where it makes several.

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
  return observedPolicies(variants).map(({ policy, choices }) => ({ policy, words: wordsOf(choices) }));
}

/** `observed: batch serial; tool_exception answered in 4, raised in 2`; nothing where nothing was seen. */
export function observedLine(report: Pick<Report, "variants">): string | undefined {
  const shown = shownPolicies(report);
  return shown.length === 0
    ? undefined
    : `observed: ${shown.map(({ policy, words }) => `${policy} ${words}`).join("; ")}`;
}

function wordsOf(choices: Readonly<Record<string, number>>): string {
  const all = Object.entries(choices);
  return all.length === 1 ? all[0]![0] : all.map(([choice, count]) => `${choice} in ${count}`).join(", ");
}
