// Unicode: half of a surrogate pair is no letter, and becomes U+FFFD where a text is stored or sent.

/** In ECMAScript 2026, a number with its digits; older engines have none. */
const { isRawJSON } = JSON as { isRawJSON?(value: unknown): boolean };

/** A JSON value in which half of a surrogate pair is U+FFFD: the value itself where it has none. @see PROVIDER-12 TOOL-48 SESSION-33 */
export function wellFormed<T>(value: T): T {
  return isWellFormed(value) ? value : (repaired(value) as T);
}

/** Whether no string in a JSON value has half of a surrogate pair. */
export function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  if (typeof value !== "object" || value === null) return true;
  for (const key in value)
    if (!key.isWellFormed() || !isWellFormed((value as Record<string, unknown>)[key])) return false;
  return true;
}

function repaired(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(repaired);
  if (typeof value !== "object" || value === null || isRawJSON?.(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toWellFormed(), repaired(inner)]));
}
