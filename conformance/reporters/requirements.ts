// What a report says of the requirements, in the order in which a person wants to read it: worst severity first.

import type { Catalogue, Finding, Report, Requirement, Suite, VariantResult } from "../kit/index.ts";
import { countRequirements, requirementVerdicts } from "../kit/run/requirement-verdicts.ts";
import type { JudgedRequirement } from "../kit/run/requirement-verdicts.ts";
import { levels, rankOf } from "../kit/suite/levels.ts";
import { counted } from "../kit/base/plural.ts";
import { firstLine } from "./visible.ts";

/** A requirement that is broken, and the variant that shows it best. */
export interface BrokenRequirement extends JudgedRequirement {
  /** Absent if this kit's spec has no such requirement. */
  requirement: Requirement | undefined;
  example: { result: VariantResult; finding: Finding };
}

/** The requirements that are broken and not listed, worst severity first, then level by level. @see REPORT-14 */
export function brokenRequirements(
  { variants }: Pick<Report, "variants">,
  { catalogue }: Pick<Suite, "catalogue">,
): BrokenRequirement[] {
  return requirementVerdicts(variants)
    .filter(({ outcome }) => outcome === "broken")
    .map((judged) => ({ ...judged, requirement: catalogue.requirements.get(judged.id), example: judged.broken[0]! }))
    .toSorted((left, right) => rankOf(left.requirement ?? {}) - rankOf(right.requirement ?? {}));
}

/** `LOOP-9 essential, executes`: what is broken, and whom it hurts. */
export function titleOf({ id, requirement }: Pick<BrokenRequirement, "id" | "requirement">): string {
  return [id, [requirement?.level, requirement?.severity].filter(Boolean).join(", ")].filter(Boolean).join(" ");
}

/** What happened to the user, in one line. */
export function sentenceOf({ id, example: { finding, result } }: Pick<BrokenRequirement, "id" | "example">): string {
  const failure = result.failures?.find(({ requirement = result.requirement }) => requirement === id);
  return firstLine(finding.message ?? failure?.message ?? result.reason ?? "it was broken");
}

/** In how much of the run it is broken. */
export function extentOf({ counts, broken }: JudgedRequirement): string {
  const cases = new Set(broken.map(({ result }) => result.case)).size;
  const kept = counts.kept === undefined ? "" : `, kept in ${counts.kept}`;
  return `broken in ${counted(broken.length, "variant")} of ${counted(cases, "case")}${kept}`;
}

/** How many requirements of each level have which verdict, for a table; levels of which nothing is known are left out. */
export function countsByLevel(
  { variants }: Pick<Report, "variants">,
  { requirements }: Pick<Catalogue, "requirements">,
): { level: string; counts: Partial<Record<JudgedRequirement["outcome"], number>> }[] {
  const judged = Map.groupBy(requirementVerdicts(variants), ({ id }) => requirements.get(id)?.level ?? "kit");
  return [...levels, "kit" as const].flatMap((level) => {
    const own = judged.get(level);
    if (!own) return [];
    const counts: Partial<Record<JudgedRequirement["outcome"], number>> = {};
    for (const { outcome } of own) counts[outcome] = (counts[outcome] ?? 0) + 1;
    return [{ level, counts }];
  });
}

/** The words for what is known of a requirement, in the order in which they are shown. */
export const outcomeWords: Readonly<Record<JudgedRequirement["outcome"], string>> = {
  broken: "broken",
  known: "known",
  kept: "kept",
  not_seen: "not seen",
  not_applicable: "not applicable",
  not_expressible: "not expressible",
};

/** `3 broken, 41 kept, 12 not seen`. */
export function requirementWords({ variants }: Pick<Report, "variants">): string {
  const judged = Map.groupBy(requirementVerdicts(variants), ({ outcome }) => outcome);
  const words = Object.entries(outcomeWords).flatMap(([outcome, word]) => {
    const count = judged.get(outcome as JudgedRequirement["outcome"])?.length ?? 0;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  return words.join(", ");
}

/**
 * What a whole run comes to, for its last sentence: `2 requirements broken`, or that none is. Nothing for a run that shows nothing of any.
 * @see REPORT-15
 */
export function requirementSentence({ variants }: Pick<Report, "variants">): string | undefined {
  const { kept, broken, known } = countRequirements(variants);
  if (broken > 0) return `${counted(broken, "requirement")} broken`;
  if (kept + known === 0) return undefined;
  return `${counted(kept, "requirement")} kept, ${known > 0 ? `${known} broken as listed` : "none broken"}`;
}

/** How many requirements of each level have which verdict, as the rows of a table with a head. */
export function* levelTable(
  report: Pick<Report, "variants">,
  catalogue: Pick<Catalogue, "requirements">,
): Generator<string> {
  const byLevel = countsByLevel(report, catalogue);
  const shown = (Object.keys(outcomeWords) as (keyof typeof outcomeWords)[]).filter((outcome) =>
    byLevel.some(({ counts }) => counts[outcome] !== undefined),
  );
  const rows = [
    ["", ...shown.map((outcome) => outcomeWords[outcome])],
    ...byLevel.map(({ level, counts }) => [level, ...shown.map((outcome) => String(counts[outcome] ?? 0))]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)));
  for (const cells of rows)
    yield cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join("  ");
}
