// Writes and follows JSON Pointers, with which the kit names places in a document.

/** One more reference token on a pointer, escaped as RFC 6901 says. */
export function pointerTo(parent: string, key: string | number): string {
  return `${parent}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The reference tokens of a pointer, unescaped. */
export function pointerTokens(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The value that a pointer names, or undefined where the document has none. */
export function valueAt(document: unknown, pointer: string): unknown {
  return pointerTokens(pointer).reduce<unknown>(
    (value, token) => (isContainer(value) ? value[token] : undefined),
    document,
  );
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
