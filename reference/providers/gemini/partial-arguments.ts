// The arguments of a call that is streamed: each piece says where in them it belongs.

import { isRecord } from "../shared/arguments.ts";
import { appendText } from "../shared/text-buffer.ts";
import type { Fields } from "./parts.ts";

/** The fields in which a piece has its value. */
const values = ["stringValue", "numberValue", "boolValue", "nullValue"] as const;

/** A step of a path: `.name`, `['name']` or `[0]`. */
const step = /\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]|\[(\d+)\]/g;

/**
 * Puts pieces into arguments. A text that goes on, at the same place as before, is appended; any other value is set.
 * @see https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling
 */
export function addPieces(args: Fields, pieces: unknown): void {
  for (const piece of Array.isArray(pieces) ? pieces.filter(isRecord) : []) {
    const name = values.find((field) => field in piece);
    const steps = [...String(piece.jsonPath).matchAll(step)].map(
      ([, dotted, quoted, at]) => dotted ?? quoted ?? Number(at),
    );
    if (name !== undefined && steps.length > 0) put(args, steps, name === "nullValue" ? null : piece[name]);
  }
}

function put(args: Fields, steps: (string | number)[], value: unknown): void {
  let at = args as Record<string | number, unknown>;
  for (const [index, key] of steps.slice(0, -1).entries()) {
    if (!hasPlace(at, key)) return;
    if (!Object.hasOwn(at, key)) define(at, key, typeof steps[index + 1] === "number" ? [] : {});
    const next = at[key];
    if (typeof next !== "object" || next === null) return;
    at = next as Record<string | number, unknown>;
  }
  const last = steps.at(-1)!;
  if (!hasPlace(at, last)) return;
  const before = Object.hasOwn(at, last) ? at[last] : undefined;
  define(at, last, typeof before === "string" && typeof value === "string" ? appendText(before, value) : value);
}

/** A list grows by one: a place far behind its end would make as many. */
function hasPlace(at: object, key: string | number): boolean {
  return !Array.isArray(at) || (typeof key === "number" && key <= at.length);
}

/** As an own field, whatever its name. */
function define(at: Record<string | number, unknown>, key: string | number, value: unknown): void {
  Object.defineProperty(at, key, { value, enumerable: true, configurable: true, writable: true });
}
