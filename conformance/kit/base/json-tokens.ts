// Whether a JSON text survives parsing and serializing without loss, apart from layout.

import { isTooDeep } from "./nesting.ts";

/** Strings, then numbers and words, then marks; white space between them is ignored. */
const token = /"(?:[^"\\]|\\.)*"|[^\s"{}[\]:,]+|[{}[\]:,]/g;

/**
 * Whether the text is JSON whose value, written again, has the same tokens in the same order. It has not where a number is too
 * large or is written otherwise (`1.0`), where a key stands twice, and where keys that look like indices would change places. What is
 * nested too deep to be looked into is called lossy, too.
 */
export function isLosslessJson(text: string): boolean {
  let again: string;
  try {
    const value: unknown = JSON.parse(text);
    if (isTooDeep(value)) return false;
    again = JSON.stringify(value);
  } catch {
    return false;
  }
  if (again === text) return true;
  const before = text.match(token) ?? [];
  const after = again.match(token) ?? [];
  return before.length === after.length && before.every((one, at) => one === after[at] || sameString(one, after[at]!));
}

/** Whether two tokens are one string, escaped in two ways. */
function sameString(one: string, other: string): boolean {
  return one.startsWith('"') && other.startsWith('"') && JSON.parse(one) === JSON.parse(other);
}
