// A value of a request or an answer in one line.

import { visible } from "../../reporters/visible.ts";

const maxCharacters = 160;

/** The value as JSON; shortened if it is long. */
export function shown(value: unknown): string {
  if (value === undefined) return "(nothing)";
  const text = visible(JSON.stringify(value));
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters)} … (${text.length} characters)`;
}
