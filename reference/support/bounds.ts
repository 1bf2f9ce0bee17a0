// How much of what others say is read: the defaults, and whether a value is nested too deep.

/** What is read of an answer at most. */
export interface Bounds {
  /** Objects and lists inside one another. */
  depth: number;
  /** Calls in one response. */
  calls: number;
  /** Bytes of a stream without a line break. */
  line_bytes: number;
  /** Bytes of an answer, whole or streamed. */
  body_bytes: number;
}

/** The table of `spec/bounds.json`. */
export const defaultBounds: Bounds = { depth: 128, calls: 1000, line_bytes: 2 ** 24, body_bytes: 2 ** 26 };

/** The bounds of a run: those that are given, and the defaults of the others. */
export function boundsOf(given: Partial<Bounds> = {}): Bounds {
  return { ...defaultBounds, ...given };
}

/**
 * Whether more than `most` objects and lists stand inside one another. Goes through a value level by level, without recursion:
 * what a model wrote may be nested as deep as memory allows.
 */
export function isDeeper(value: unknown, most: number): boolean {
  let level = [value].filter(isNested);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > most) return true;
    const inner: object[] = [];
    for (const one of level) for (const member of Object.values(one)) if (isNested(member)) inner.push(member);
    level = inner;
  }
  return false;
}

/** The same of a JSON text, without reading it. */
export function isDeeperText(text: string, most: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '"') isInString = !isInString;
    else if (isInString) at += letter === "\\" ? 1 : 0;
    else if (letter === "[" || letter === "{") depth += 1;
    else if (letter === "]" || letter === "}") depth -= 1;
    if (depth > most) return true;
  }
  return false;
}

/** The JSON of a value, in which what is nested deeper than `most` is "…": the JSON of any depth cannot be written. */
export function shallowJson(value: unknown, most: number): string {
  return JSON.stringify(pruned(value, most));
}

function pruned(value: unknown, most: number): unknown {
  if (!isNested(value)) return value;
  if (most === 0) return "…";
  if (Array.isArray(value)) return value.map((member) => pruned(member, most - 1));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, pruned(member, most - 1)]));
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
