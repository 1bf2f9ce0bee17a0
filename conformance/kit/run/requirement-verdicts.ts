// What a whole run shows of each requirement: one verdict, made of the findings of all variants.

import type { Finding, RequirementTotals, VariantResult } from "../../../schemas/types.ts";

/** What a finding comes to: `known` is broken, as it is listed. */
export type RequirementOutcome = Exclude<keyof RequirementTotals, "selected">;

/** A requirement, and what the run shows of it. */
export interface JudgedRequirement {
  id: string;
  outcome: RequirementOutcome;
  /** How many variants came to which outcome. */
  counts: Partial<Record<RequirementOutcome, number>>;
  /** The variants in which it is broken and not listed, those first whose case tests it. */
  broken: { result: VariantResult; finding: Finding }[];
}

/** Whichever comes first of these was found somewhere decides. */
const worstFirst: readonly RequirementOutcome[] = [
  "broken",
  "known",
  "kept",
  "not_expressible",
  "not_seen",
  "not_applicable",
];

/** One entry for each requirement that a case of the run tests, or of which a finding says something, in the order of the results. */
export function requirementVerdicts(variants: readonly VariantResult[]): JudgedRequirement[] {
  const judged = new Map<string, JudgedRequirement>();
  for (const result of variants) {
    const findings = result.findings ?? [findingWithout(result)];
    for (const finding of findings) note(judged, finding, result);
    if (findings.every(({ requirement }) => requirement !== result.requirement))
      note(judged, findingWithout(result), result);
  }
  for (const one of judged.values()) {
    one.outcome = worstFirst.find((outcome) => one.counts[outcome] !== undefined)!;
    const isOwn = ({ result }: { result: VariantResult }) => Number(result.requirement === one.id);
    one.broken.sort((left, right) => isOwn(right) - isOwn(left));
  }
  return [...judged.values()];
}

/** How many requirements have which verdict. `selected` is the sum of the others. @see REPORT-13 */
export function countRequirements(variants: readonly VariantResult[]): RequirementTotals {
  const judged = requirementVerdicts(variants);
  const totals = {
    selected: judged.length,
    kept: 0,
    broken: 0,
    known: 0,
    not_seen: 0,
    not_applicable: 0,
    not_expressible: 0,
  };
  for (const { outcome } of judged) totals[outcome] += 1;
  return totals;
}

function note(judged: Map<string, JudgedRequirement>, finding: Finding, result: VariantResult): void {
  const { requirement: id, known } = finding;
  const outcome = finding.verdict === "broken" && known !== undefined ? "known" : finding.verdict;
  const one = judged.get(id) ?? { id, outcome, counts: {}, broken: [] };
  one.counts[outcome] = (one.counts[outcome] ?? 0) + 1;
  if (outcome === "broken") one.broken.push({ result, finding });
  judged.set(id, one);
}

/** What a result without findings says of the requirement of its case: one that was not run, or one of an older kit. */
function findingWithout({ requirement, verdict, reason }: VariantResult): Finding {
  switch (verdict) {
    case "pass":
    case "unexpected-pass":
      return { requirement, verdict: "kept" };
    case "fail":
      return { requirement, verdict: "broken" };
    case "expected-fail":
      return { requirement, verdict: "broken", known: reason ?? "it is listed" };
    case "not-applicable":
      return { requirement, verdict: "not_applicable" };
    default:
      return { requirement, verdict: "not_seen" };
  }
}
