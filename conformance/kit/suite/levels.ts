// The levels of requirements, from what hurts every user to what only some need.

import type { RequirementLevel, RequirementSeverity } from "../../../schemas/types.ts";

/** The levels at which a loop can be judged. Each includes those before it. */
export const levels = ["essential", "core", "portable", "feature"] as const satisfies readonly RequirementLevel[];

/** A level at which a loop can be judged. */
export type JudgedLevel = (typeof levels)[number];

/** The severities, worst first. */
export const severities = [
  "executes",
  "leaks",
  "bricks",
  "loses",
  "misreports",
] as const satisfies readonly RequirementSeverity[];

/**
 * Whether a requirement of one level counts at another. What the kit itself relies on always does.
 * @param judged absent: at every level
 */
export function isWithin(level: RequirementLevel | undefined, judged: RequirementLevel | undefined): boolean {
  if (judged === undefined || level === undefined || level === "kit") return true;
  return levels.indexOf(level) <= levels.indexOf(judged as JudgedLevel);
}

/**
 * What a case tests at a level: the first of the requirements that it names which counts there; undefined if the case is not played
 * at it. What else the case expects is then beyond the level, and fails nothing. A requirement that only the kit relies on is never
 * the reason to play a case of something else.
 * @param requires what the case names, what it tests at every level first
 * @param judged absent: at every level
 */
export function testedAt(
  requires: readonly string[],
  known: ReadonlyMap<string, { level?: RequirementLevel }>,
  judged: RequirementLevel | undefined,
): string | undefined {
  const levelOf = (id: string) => known.get(id)?.level;
  return requires.find((id, place) => (place === 0 || levelOf(id) !== "kit") && isWithin(levelOf(id), judged));
}

/** Where a requirement stands among those that are broken: worst severity first, then level by level. */
export function rankOf(of: { level?: RequirementLevel; severity?: RequirementSeverity }): number {
  const { level = "kit", severity } = of;
  if (severity !== undefined) return severities.indexOf(severity);
  return severities.length + (level === "kit" ? levels.length : levels.indexOf(level));
}
