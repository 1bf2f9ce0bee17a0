// What OpenAI's APIs ask of a JSON Schema that an output or a call is to match strictly.

import { isObject, listOf, type JsonObject } from "../shared/json.ts";
import { brokenRefs } from "../shared/schema-refs.ts";

/** Keywords that a strict schema must not have. */
const refused = ["allOf", "not", "dependentRequired", "dependentSchemas", "if", "then", "else"];

/** Why a schema is not strict, each reason with its path, in the words of the API. Empty if it is strict. */
export function strictFaults(schema: unknown): string[] {
  if (!isObject(schema) || schema["type"] !== "object")
    return [
      `schema must be a JSON Schema of 'type: "object"', got 'type: ${JSON.stringify(isObject(schema) ? schema["type"] : schema)}'`,
    ];
  const lost = brokenRefs(schema).map((ref) => `reference to component '${ref}' which was not found in the schema`);
  return [...(schema["anyOf"] === undefined ? [] : ["the root must not be anyOf"]), ...faultsIn(schema, []), ...lost];
}

function faultsIn(schema: unknown, context: string[]): string[] {
  if (!isObject(schema)) return [];
  const place = `in context=(${context.map((key) => `'${key}'`).join(", ")})`;
  const inside = [...childrenOf(schema)].flatMap(([path, child]) => faultsIn(child, [...context, ...path]));
  const unknown = refused.filter((key) => key in schema).map((key) => `${place}, '${key}' is not permitted`);
  return [...(isLoose(schema) ? [`${place}, ${closed}`] : []), ...unknown, ...inside];
}

const closed = "'additionalProperties' must be false and 'required' must name every property";

function isLoose(schema: JsonObject): boolean {
  const { properties, type, additionalProperties } = schema;
  if (!isObject(properties) && ![type].flat().includes("object")) return false;
  const names = Object.keys(isObject(properties) ? properties : {});
  const required = listOf(schema["required"]);
  return additionalProperties !== false || !names.every((name) => required.includes(name));
}

function* childrenOf(schema: JsonObject): Generator<[path: string[], child: unknown]> {
  for (const key of ["properties", "$defs", "definitions"]) {
    const children = schema[key];
    if (isObject(children)) for (const [name, child] of Object.entries(children)) yield [[key, name], child];
  }
  for (const key of ["anyOf", "oneOf", "allOf"]) {
    for (const [at, child] of listOf(schema[key]).entries()) yield [[key, String(at)], child];
  }
  yield [["items"], schema["items"]];
}
