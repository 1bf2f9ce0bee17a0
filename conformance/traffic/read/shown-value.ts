// A value of a request or an answer in one line.

import { visible } from "../../reporters/visible.ts";

const mostCharacters = 160;

/** The value as JSON; shortened if it is long. */
export function shown(value: unknown): string {
  if (value === undefined) return "(nothing)";
  const text = visible(JSON.stringify(value));
  return text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters)} … (${text.length} characters)`;
}
