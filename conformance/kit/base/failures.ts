// Makes the failures of a report, so that each has its code, its requirement and one line for people.

import type { Failure } from "../../../schemas/types.ts";
import type { Mismatch } from "./matcher.ts";

/** The failure of an invariant. */
export function breach(
  requirement: string | undefined,
  message: string,
  seen: { path?: string; expected?: unknown; received?: unknown } = {},
): Failure {
  return { code: "invariant", ...(requirement !== undefined && { requirement }), message, ...present(seen) };
}

/** Mismatches as failures. `where` says in front of each message what was compared. */
export function failuresOf(
  code: Failure["code"],
  requirement: string,
  where: string,
  mismatches: readonly Mismatch[],
): Failure[] {
  return mismatches.map(({ path, expected, received, message }) => ({
    code,
    requirement,
    message: `${where}${path}: ${message}`,
    ...present({ path, expected, received }),
  }));
}

function present<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}
