// Says which cases a version of the suite has, so that a newer kit can be held to the suite of an older one.

import type { Suite, SuiteCase } from "./types.ts";

/** There is no such version of the suite; the message says which there are. */
export class UnknownVersionError extends Error {
  override readonly name = "UnknownVersionError";
}

/** The versions of a suite, oldest first: those in which cases came. */
export function versionsOf(cases: readonly SuiteCase[]): string[] {
  return [...new Set(cases.map(({ case: { since } }) => since))].sort(compareVersions);
}

/** The newest version among the cases; of a pinned suite, the one that it is pinned to. */
export function suiteVersion(cases: readonly SuiteCase[]): string {
  return versionsOf(cases).at(-1) ?? "0.0";
}

/**
 * The suite as it was in a version: without the cases that came later, and without those that had ended.
 * @param version absent: the newest
 * @throws UnknownVersionError
 * @see KIT-14 KIT-15
 */
export function pinSuite(suite: Suite, version?: string): Suite {
  const known = versionsOf(suite.cases);
  const newest = suiteVersion(suite.cases);
  if (version !== undefined && !known.includes(version)) {
    const newer = compareVersions(version, newest) > 0 ? ", and a newer kit may have more" : "";
    throw new UnknownVersionError(`the suite has no version ${version}; it has ${known.join(", ") || "none"}${newer}`);
  }
  return { ...suite, cases: suite.cases.filter(({ case: source }) => isIn(source, version ?? newest)) };
}

/** Whether a version comes before (negative), with (0) or after (positive) another. */
export function compareVersions(left: string, right: string): number {
  const [major = 0, minor = 0] = left.split(".").map(Number);
  const [otherMajor = 0, otherMinor = 0] = right.split(".").map(Number);
  return major - otherMajor || minor - otherMinor;
}

function isIn({ since, until }: SuiteCase["case"], version: string): boolean {
  return compareVersions(since, version) <= 0 && (until === undefined || compareVersions(version, until) <= 0);
}
