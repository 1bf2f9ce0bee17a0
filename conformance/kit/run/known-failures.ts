// Applies an implementation's list of known failures to the results of a run.

import type { KnownFailure, ReportProblem, VariantResult } from "../../../schemas/types.ts";
import { besideBreaches, staleBreaches } from "./known-breaches.ts";
import type { KnownFailureList, ListedFailure } from "./known-failure-list.ts";
import { isExpired, isNamed } from "./named-in-list.ts";

/** The reason of an entry that has not been explained yet. */
export const unexplained = "Not looked into yet";

export type { KnownFailureList, ListedFailure } from "./known-failure-list.ts";

/** What entries name. */
export type NamedVariant = Pick<VariantResult, "check" | "variant">;

/** The entry to which a variant belongs: the first that names it. */
export function entryOf(list: KnownFailureList, { check, variant }: NamedVariant): ListedFailure | undefined {
  return list.entries.find((entry) => names(entry, check, variant));
}

/**
 * The result with the verdict that it has beside the list: `expected-fail` if it failed as it is listed, `unexpected-pass` if it
 * passed. An entry that has expired excuses nothing.
 * @see KIT-9
 */
export function besideList(list: KnownFailureList, result: VariantResult): VariantResult {
  const entry = entryOf(list, result);
  if (!entry) return besideBreaches(list, result);
  if (!isJudged(result)) return result;
  const where = `listed in ${list.file}:${entry.line}`;
  if (result.failures === undefined)
    return { ...result, verdict: "unexpected-pass", reason: `${where}: ${entry.reason}` };
  if (!failsAs(entry, result)) return { ...result, reason: `${where}, but as ${entry.code}` };
  if (isExpired(list, entry)) return { ...result, reason: `${where}, until ${entry.expires}` };
  return { ...result, verdict: "expected-fail", reason: entry.reason, ...excused(result, entry.reason) };
}

/** Whether it was run, and shows something that a list can speak of: what passed or failed, and whatever has failures. */
export function isJudged({ verdict, failures }: VariantResult): boolean {
  return verdict === "pass" || verdict === "fail" || failures !== undefined;
}

/** Whatever else was wrong in a variant that is listed is known with it. */
function excused({ findings }: VariantResult, known: string): Pick<VariantResult, "findings"> {
  if (!findings) return {};
  return { findings: findings.map((one) => (one.verdict === "broken" ? { ...one, known } : one)) };
}

/**
 * The entries that no longer say what is so.
 * @param results of the run, as it came or as `besideList` left it
 * @param isWhole whether everything was run
 * @param everything the whole suite, of which a shard runs a part; absent: a part was selected, and an entry without a variant is ignored
 * @see KIT-10
 */
export function staleEntries(
  list: KnownFailureList,
  results: readonly VariantResult[],
  isWhole: boolean,
  everything: readonly NamedVariant[] | undefined = isWhole ? results : undefined,
): ReportProblem[] {
  const ofEntry = Map.groupBy(results, (result) => entryOf(list, result));
  const others = results.filter((result) => entryOf(list, result) === undefined);
  const ofChecks = list.entries.flatMap((entry) => {
    const own = ofEntry.get(entry) ?? [];
    const problems = [...staleness(list, entry, own, isWhole)];
    if (everything && own.length === 0 && !everything.some((one) => entryOf(list, one) === entry))
      problems.unshift(uselessness(list, entry, everything));
    return problems.map((message) => ({ file: list.file, line: entry.line, message: `${entry.check} ${message}` }));
  });
  return [...ofChecks, ...staleBreaches(list, others, isWhole)];
}

function* staleness(
  list: KnownFailureList,
  entry: ListedFailure,
  results: readonly VariantResult[],
  isWhole: boolean,
): Generator<string> {
  const passed = results.filter(
    ({ verdict, failures }) => (verdict === "pass" && failures === undefined) || verdict === "unexpected-pass",
  );
  const failed = results.filter(({ failures }) => failures !== undefined);
  if (isWhole && results.length > 0 && passed.length + failed.length === 0)
    yield `was not run on any variant that it names (${results[0]!.reason ?? results[0]!.verdict}); remove the entry`;
  if (passed.length > 0)
    yield `is listed as failing, but passes on ${variantsOf(passed)}; remove the entry, or narrow its variants`;
  for (const [code, others] of Map.groupBy(failed, codeOf))
    if (code !== entry.code)
      yield `is listed as ${entry.code}, but fails with ${code} on ${variantsOf(others)}; look at it again`;
  if (isExpired(list, entry))
    yield `was listed until ${entry.expires}; look at it again, then remove the entry or give it another date`;
}

/** Why no variant belongs to an entry. */
function uselessness(list: KnownFailureList, entry: ListedFailure, everything: readonly NamedVariant[]): string {
  const named = everything.filter(({ check, variant }) => names(entry, check, variant));
  const lines = new Set(named.map((one) => entryOf(list, one)!.line));
  return lines.size === 0
    ? "names no variant of the suite; correct the name, or remove the entry"
    : `names only variants that the entry in line ${[...lines].join(" and ")} names before it; remove one of them`;
}

/** The code of the failure that a variant is listed under. */
export function codeOf({ failures }: VariantResult): string | undefined {
  return failures?.[0]?.code;
}

/** Whether a variant failed as the entry says. */
export function failsAs(entry: KnownFailure, result: VariantResult): boolean {
  return codeOf(result) === entry.code;
}

function names({ check, variants }: KnownFailure, wantedCheck: string, wantedVariant: string): boolean {
  return isNamed(check, wantedCheck) && (variants?.some((pattern) => isNamed(pattern, wantedVariant)) ?? true);
}

function variantsOf(results: readonly VariantResult[]): string {
  const checks = new Set(results.map(({ check }) => check));
  return results.map(({ check, variant }) => (checks.size > 1 ? `${check} ${variant}` : variant)).join(", ");
}
