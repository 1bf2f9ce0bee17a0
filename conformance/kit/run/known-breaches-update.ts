// Brings the requirements of a list of known failures up to date with a run: what still holds stays as people wrote it.

import { isSeq } from "yaml";
import type { Document, YAMLMap } from "yaml";
import type { KnownBreach, VariantResult } from "../../../schemas/types.ts";
import { breachEntryOf, breachesOf } from "./known-breaches.ts";
import { unexplained } from "./known-failures.ts";
import type { KnownFailureList } from "./known-failures.ts";
import { isNamed } from "./named-in-list.ts";

/** A breach, and the variant that shows it. */
interface Shown {
  requirement: string;
  message: string;
  result: VariantResult;
}

/**
 * Rewrites the requirements of a document.
 * @param list that was read from it
 * @param results of the whole run that no check of the list names, without crashes
 */
export function updateBreaches(document: Document, list: KnownFailureList, results: readonly VariantResult[]): void {
  const items = document.get("requirements");
  if (!isSeq(items)) return;
  const shown = results.flatMap((result) =>
    breachesOf(result).map(({ requirement, message }): Shown => ({
      requirement,
      message: message ?? result.failures?.[0]?.message ?? "it is broken",
      result,
    })),
  );
  const ofEntry = Map.groupBy(shown, ({ requirement, result }) => breachEntryOf(list, requirement, result));
  const kept = (list.requirements ?? []).flatMap((entry, index) => {
    const own = ofEntry.get(entry);
    return own ? [narrowed(document, items.items[index] as YAMLMap, entry, own)] : [];
  });
  const added = [...Map.groupBy(ofEntry.get(undefined) ?? [], ({ requirement }) => requirement).values()];
  items.items = [...kept, ...added.map((group) => document.createNode(entryFor(group, results)))];
}

/** The item without the names of cases and variants that show it no more. */
function narrowed(document: Document, item: YAMLMap, { cases, variants }: KnownBreach, own: readonly Shown[]): YAMLMap {
  const needed = (patterns: readonly string[], textOf: (result: VariantResult) => string) =>
    patterns.filter((pattern) => own.some(({ result }) => isNamed(pattern, textOf(result))));
  const left = {
    cases: cases && needed(cases, (result) => result.case),
    variants: variants && needed(variants, ({ variant }) => variant),
  };
  for (const [key, before] of Object.entries({ cases, variants })) {
    const now = left[key as "cases"];
    if (before && now && now.length < before.length) item.set(key, document.createNode(now, { flow: true }));
  }
  return item;
}

/** An entry for all that shows one requirement broken. The variants are named where others of these cases keep it. */
function entryFor(group: readonly Shown[], results: readonly VariantResult[]): KnownBreach {
  const [{ requirement, message }] = group as [Shown];
  const cases = [...new Set(group.map(({ result }) => result.case))].sort();
  const variants = [...new Set(group.map(({ result }) => result.variant))];
  const isElsewhere = results.some(
    ({ case: id, variant, findings = [] }) =>
      cases.includes(id) &&
      !variants.includes(variant) &&
      findings.some((one) => one.requirement === requirement && one.verdict === "kept"),
  );
  const reason = `${unexplained}: ${message.split("\n", 1)[0]}`;
  return { requirement, cases, ...(isElsewhere && { variants }), reason };
}
