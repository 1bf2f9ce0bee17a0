// Reads JSON that a client sent, of any shape.

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The list, or an empty one if the value is not a list. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Whether the value is a string with something in it besides white space. */
export function hasText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

/** The type of a value, for an error message. */
export function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? "a string" : `a ${typeof value}`;
}

/**
 * Calls `visit` with every string of the value, keys included, and its path (`messages.0.content`). Deep nesting does not overflow
 * the stack.
 */
function eachString(value: unknown, visit: (text: string, at: string) => void, at = ""): void {
  const left: { key?: string; value: unknown; at: string }[] = [{ value, at }];
  for (let next = left.pop(); next; next = left.pop()) {
    const { value: here, at: place, key } = next;
    if (key !== undefined) visit(key, place);
    if (typeof here === "string") visit(here, place);
    else if (typeof here === "object" && here !== null) {
      for (const [name, entry] of Object.entries(here).toReversed())
        left.push({ key: name, value: entry, at: place === "" ? name : `${place}.${name}` });
    }
  }
}

/** A value of a body, and its path. */
export interface Placed {
  at: string;
  value: unknown;
}

/** The entries of the list in a field of the body, from the n-th on, in their places. */
export function entriesFrom(fields: JsonObject, field: string, from: number): Placed[] {
  return listOf(fields[field])
    .slice(from)
    .map((value, at) => ({ at: `${field}.${from + at}`, value }));
}

/** The paths of strings that have half of a surrogate pair. */
export function brokenStrings(values: readonly Placed[]): string[] {
  const places: string[] = [];
  for (const { at, value } of values) {
    eachString(
      value,
      (text, place) => {
        if (!text.isWellFormed()) places.push(place);
      },
      at,
    );
  }
  return places;
}

/** Whether two JSON values are equal. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((entry, at) => sameJson(entry, other[at]));
  }
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every(
    (key) => Object.hasOwn(other, key) && sameJson((one as JsonObject)[key], (other as JsonObject)[key]),
  );
}

/** A JSON object, or `undefined` where the text is not one. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A copy without the keys. */
export function without(object: JsonObject, ...keys: string[]): JsonObject {
  const copy = { ...object };
  for (const key of keys) delete copy[key];
  return copy;
}
