// Canonical text and hash of a JSON value, independent of key order.

import { sha256 } from "./sha256.ts";

/** As in RFC 8785: keys sorted by UTF-16 code units, no white space. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join(",")}}`;
}

/** SHA-256 of the canonical text, in hexadecimal. */
export async function hashOf(value: unknown): Promise<string> {
  return sha256(canonical(value));
}

/** Whether a value has a number that JSON cannot write, which would have the text of another value. */
export function hasNonFinite(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasNonFinite);
}
