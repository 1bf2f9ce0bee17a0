// Looks into JSON that a client sent and that may have any shape.

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The list, or an empty one where the value is none. */
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

/** What a value is, in words for an error message. */
export function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? "a string" : `a ${typeof value}`;
}

/** Calls `visit` with every string of the value, keys included, and where it stands (`messages.0.content`). */
export function eachString(value: unknown, visit: (text: string, at: string) => void, at = ""): void {
  if (typeof value === "string") {
    visit(value, at);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const [key, entry] of Object.entries(value)) {
    const below = at === "" ? key : `${at}.${key}`;
    visit(key, below);
    eachString(entry, visit, below);
  }
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
