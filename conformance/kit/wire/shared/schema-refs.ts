// Finds references of a JSON Schema that lead nowhere inside of it.

import { valueAt } from "../../base/json-pointer.ts";
import { isObject, isText } from "./json.ts";

/**
 * The references to a place of the schema itself that it does not have, each once, such as those that a copy without its `$defs` still
 * has. What a schema refers to by names (`$anchor`, `$id`) or has elsewhere is let through.
 */
export function brokenRefs(schema: unknown): string[] {
  return [...new Set(refsIn(schema))].filter(
    (ref) => ref.startsWith("#/") && valueAt(schema, decoded(ref.slice(1))) === undefined,
  );
}

function refsIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(refsIn);
  if (!isObject(schema) || schema["$id"] !== undefined) return [];
  // These have data, not a schema.
  const { $ref, const: _const, default: _default, enum: _enum, examples: _examples, ...others } = schema;
  return [...(isText($ref) ? [$ref] : []), ...Object.values(others).flatMap(refsIn)];
}

function decoded(pointer: string): string {
  try {
    return decodeURIComponent(pointer);
  } catch {
    return pointer;
  }
}
