// What both kinds of entries in a list of known failures have: patterns, and a last day.

import { matchesPattern } from "../suite/selection.ts";

/** Whether a pattern of an entry names this. Most are no patterns, and each is held against thousands of variants. */
export function isNamed(pattern: string, text: string): boolean {
  return pattern.includes("*") ? matchesPattern(pattern, text) : pattern === text;
}

/** Whether the last day of an entry is over, so that it excuses nothing. */
export function isExpired({ today }: { today: string }, { expires }: { expires?: string }): boolean {
  return expires !== undefined && expires < today;
}
