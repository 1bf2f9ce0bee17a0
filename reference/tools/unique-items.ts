// `uniqueItems` in bounded time: the validator compares every item of a list with every other one.

import { canonical } from "../support/canonical-json.ts";

/** A list of more items is not compared item by item: a few thousand take seconds. */
const LONGEST = 1_000;

/**
 * How arguments can be held against a schema with `uniqueItems`: `met` if no list of them has two equal items, so that the
 * keyword may be left out; `comparable` if the lists are short; else `too_long`.
 */
export function uniquenessOf(input: unknown): "met" | "comparable" | "too_long" {
  const found = { equal: false, longest: 0 };
  look(input, found);
  if (!found.equal) return "met";
  return found.longest > LONGEST ? "too_long" : "comparable";
}

function look(value: unknown, found: { equal: boolean; longest: number }): void {
  if (typeof value !== "object" || value === null) return;
  for (const inner of Object.values(value)) look(inner, found);
  if (!Array.isArray(value)) return;
  found.longest = Math.max(found.longest, value.length);
  found.equal ||= new Set(value.map(canonical)).size < value.length;
}
