// Applies the requirements that a list of known failures names: what is broken as listed is known, and nothing beside it.

import type { FailureCode, Finding, KnownBreach, ReportProblem, VariantResult } from "../../../schemas/types.ts";
import { counted } from "../base/plural.ts";
import type { KnownFailureList, ListedBreach } from "./known-failure-list.ts";
import { isExpired, isNamed } from "./named-in-list.ts";

/** What shows nothing of a requirement, though it is reported as broken: these are listed as failures of a check. */
const crashes: readonly FailureCode[] = ["driver_crashed", "crashed_beside_others", "driver_timeout", "protocol_error"];

/** Whether a variant ended in a way that no requirement excuses. */
export function isCrash({ failures = [] }: Pick<VariantResult, "failures">): boolean {
  return failures.some(({ code }) => crashes.includes(code));
}

/** The first entry that names a breach of a variant. */
export function breachEntryOf(
  { requirements = [] }: Pick<KnownFailureList, "requirements">,
  requirement: string,
  where: Pick<VariantResult, "case" | "variant">,
): ListedBreach | undefined {
  return requirements.find((entry) => entry.requirement === requirement && names(entry, where));
}

/** What a variant broke, also where an older kit reports no findings. */
export function breachesOf({ findings, requirement, verdict }: VariantResult): Finding[] {
  if (findings) return findings.filter((one) => one.verdict === "broken");
  return verdict === "fail" ? [{ requirement, verdict: "broken" }] : [];
}

/**
 * The result with each breach marked that is listed, and `expected-fail` if what its case tests is one of them.
 * @see KIT-31
 */
export function besideBreaches(list: KnownFailureList, result: VariantResult): VariantResult {
  const { requirements = [] } = list;
  if (requirements.length === 0 || isCrash(result) || breachesOf(result).length === 0) return result;
  const reasonFor = (id: string) => {
    const entry = breachEntryOf(list, id, result);
    return entry && !isExpired(list, entry) ? entry.reason : undefined;
  };
  const findings = (result.findings ?? breachesOf(result)).map((finding) => {
    const known = finding.verdict === "broken" ? reasonFor(finding.requirement) : undefined;
    return known === undefined ? finding : { ...finding, known };
  });
  const reason = reasonFor(result.requirement);
  const isExpected = result.verdict === "fail" && reason !== undefined;
  return { ...result, findings, ...(isExpected && { verdict: "expected-fail", reason }) };
}

/**
 * The entries that no longer say what is so.
 * @param isWhole whether everything was run
 * @see KIT-32
 */
export function staleBreaches(
  list: KnownFailureList,
  results: readonly VariantResult[],
  isWhole: boolean,
): ReportProblem[] {
  const { requirements = [], file } = list;
  return requirements.flatMap((entry) =>
    [...staleness(list, entry, results, isWhole)].map((message) => ({
      file,
      line: entry.line,
      message: `${entry.requirement} ${message}`,
    })),
  );
}

function* staleness(
  list: KnownFailureList,
  entry: ListedBreach,
  results: readonly VariantResult[],
  isWhole: boolean,
): Generator<string> {
  if (isExpired(list, entry))
    yield `was listed until ${entry.expires}; look at it again, then remove the entry or give it another date`;
  const { requirement } = entry;
  const named = results.filter((result) => names(entry, result) && !isCrash(result));
  const broken = named.filter((result) => breachesOf(result).some((one) => one.requirement === requirement));
  const own = broken.filter((result) => breachEntryOf(list, requirement, result) === entry);
  const kept = named.filter(({ findings = [] }) => findings.some((one) => isKept(one, requirement)));
  if (own.length > 0) return void (isWhole && (yield* idlePatterns(entry, own)));
  if (broken.length > 0)
    yield `names only what the entry in line ${breachEntryOf(list, requirement, broken[0]!)!.line} names before it; remove one of them`;
  else if (kept.length > 0)
    yield `is listed as broken, but is kept in ${counted(kept.length, "variant")}; remove the entry`;
  else if (isWhole)
    yield named.length === 0
      ? "names no variant of the suite; correct the entry, or remove it"
      : "was not seen in any variant that the entry names; remove it";
}

/** Each name that an entry has must be needed. */
function* idlePatterns({ cases = [], variants = [] }: KnownBreach, own: readonly VariantResult[]): Generator<string> {
  for (const pattern of cases)
    if (!own.some((result) => isNamed(pattern, result.case)))
      yield `is listed as broken in ${pattern}, but is not; take it out of the cases`;
  for (const pattern of variants)
    if (!own.some((result) => isNamed(pattern, result.variant)))
      yield `is listed as broken on ${pattern}, but is not; take it out of the variants`;
}

function isKept({ requirement, verdict }: Finding, wanted: string): boolean {
  return requirement === wanted && verdict === "kept";
}

function names({ cases, variants }: KnownBreach, where: Pick<VariantResult, "case" | "variant">): boolean {
  const isOneOf = (patterns: readonly string[] | undefined, text: string) =>
    patterns === undefined || patterns.some((pattern) => isNamed(pattern, text));
  return isOneOf(cases, where.case) && isOneOf(variants, where.variant);
}
