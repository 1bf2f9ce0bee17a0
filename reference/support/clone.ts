// A copy of JSON values, also where the platform has none: the sandboxes of some workflow engines.

const { structuredClone: platform } = globalThis as { structuredClone?: <T>(value: T) => T };

/**
 * A deep copy of a JSON value.
 * @throws an error for what cannot be copied, such as a function
 */
export const clone: <T>(value: T) => T = platform ?? plainClone;

/** Of lists and plain objects; a value of any other kind is no JSON. */
export function plainClone<T>(value: T): T {
  if (typeof value === "function" || typeof value === "symbol")
    throw new TypeError(`${String(value)} cannot be copied.`);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(plainClone) as T;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plainClone(inner)])) as T;
}
