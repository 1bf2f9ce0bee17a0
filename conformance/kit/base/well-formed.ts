// Unicode: half of a surrogate pair is no letter; U+FFFD takes its place in what is stored and what is sent.

/** A copy in which no string has half of a surrogate pair. @see PROVIDER-12 TOOL-48 SESSION-33 */
export function wellFormed<Value>(value: Value): Value {
  if (typeof value === "string") return value.toWellFormed() as Value;
  if (Array.isArray(value)) return value.map((entry) => wellFormed(entry as unknown)) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [wellFormed(key), wellFormed(entry as unknown)]),
  ) as Value;
}
