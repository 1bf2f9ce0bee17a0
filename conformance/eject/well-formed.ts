// Unicode: half of a surrogate pair is no letter, and becomes U+FFFD where a text is stored.

const half = /\p{Surrogate}/gu;

/** A JSON value in which half of a surrogate pair is U+FFFD. @see TOOL-48 SESSION-33 */
export function wellFormed<T>(value: T): T {
  return repaired(value) as T;
}

function repaired(value: unknown): unknown {
  if (typeof value === "string") return value.replace(half, "\ufffd");
  if (Array.isArray(value)) return value.map(repaired);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.replace(half, "\ufffd"), repaired(inner)]),
  );
}
