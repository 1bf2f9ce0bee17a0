// The names of fields in a request to Gemini: each may be written in snake case as well, and clients do.

import { isObject } from "../shared/json.ts";

/** What is in these is the caller's, or a schema: no field of the API. */
const notOfTheApi = new Set([
  "args",
  "response",
  "parameters",
  "parametersJsonSchema",
  "responseSchema",
  "responseJsonSchema",
  "_responseJsonSchema",
  "labels",
  "partMetadata",
]);

/** No field of the API is deeper in a request. */
const deepest = 16;

/**
 * The body with the names of its fields in camel case. A field that is there in both cases is left as it is.
 * @see https://protobuf.dev/programming-guides/json/
 */
export function withCamelNames(value: unknown, levels = deepest): unknown {
  if (levels === 0) return value;
  if (Array.isArray(value)) return value.map((entry) => withCamelNames(entry, levels - 1));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => {
    const name = camelOf(key);
    const own = name !== key && Object.hasOwn(value, name) ? key : name;
    return [own, notOfTheApi.has(name) ? inner : withCamelNames(inner, levels - 1)];
  });
  return Object.fromEntries(entries);
}

function camelOf(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
