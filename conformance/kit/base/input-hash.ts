// The hash of a call that waits for approval, as the specification computes it.

import { createHash } from "node:crypto";

/**
 * The SHA-256 of the RFC 8785 form of a call.
 * @param given its `input`, or its `raw_input` where it has one and nobody has changed its arguments
 * @see PERMISSION-22
 */
export function inputHash(id: string, name: string, given: unknown): string {
  return createHash("sha256")
    .update(canonical([id, name, given]), "utf8")
    .digest("hex");
}

/** As in RFC 8785. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const names = Object.keys(value).sort(); // by UTF-16 code units
  const members = names.map((name) => `${JSON.stringify(name)}:${canonical((value as Record<string, unknown>)[name])}`);
  return `{${members.join(",")}}`;
}
