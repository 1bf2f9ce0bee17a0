// Checks that a request repeats what it shares with the one before byte for byte.

import type { Failure } from "../../../schemas/types.ts";
import { breach } from "../base/failures.ts";

/** What a prompt begins with, in the bodies of all providers. */
const parts = ["tools", "system", "instructions", "messages", "input"];

/**
 * What stands in both bodies and is written otherwise in the second, such as an object with its keys in another order: no cache of
 * the prompt reaches further than to there. What says something else is judged elsewhere.
 * @param before the request before, absent for the first of a run
 * @see PROVIDER-13
 */
export function checkPrefix(before: unknown, body: unknown, number: number): Failure[] {
  if (!isObject(before) || !isObject(body)) return [];
  const changed = parts.flatMap((part) => changedPlaces(before[part], body[part], `/${part}`));
  return changed.slice(0, 1).map(({ path, expected, received }) =>
    breach("PROVIDER-13", `model request ${number} renders ${path} with other bytes than the request before it`, {
      path,
      expected,
      received,
    }),
  );
}

interface Change {
  path: string;
  /** As JSON texts: only there the difference is seen. */
  expected: string;
  received: string;
}

function changedPlaces(before: unknown, now: unknown, path: string): Change[] {
  if (Array.isArray(before) && Array.isArray(now))
    return before.flatMap((item, index) => changedPlaces(item, now[index], `${path}/${index}`));
  if (before === undefined || now === undefined) return [];
  const [expected, received] = [JSON.stringify(before), JSON.stringify(now)];
  return expected !== received && sorted(before) === sorted(now) ? [{ path, expected, received }] : [];
}

/** The same text for values that say the same. Arguments of calls are JSON inside of a string. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    const read = typeof inner === "string" && inner.startsWith("{") ? parsed(inner) : inner;
    if (!isObject(read)) return read;
    return Object.fromEntries(Object.entries(read).sort(([left], [right]) => (left < right ? -1 : 1)));
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
