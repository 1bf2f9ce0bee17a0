// The schema of the arguments in a declaration of a function, as JSON Schema.

import { isObject, isText, listOf, type JsonObject } from "../shared/json.ts";

/** Keywords of Google's Schema that JSON Schema has, too, in another form or another case. */
const numbers = ["minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"];

/**
 * The schema of a declaration: `parametersJsonSchema` as it is, `parameters` translated. Neither: an object without properties.
 * @see https://ai.google.dev/api/caching#Schema
 */
export function declaredSchema({ parameters, parametersJsonSchema }: JsonObject): JsonObject {
  if (isObject(parametersJsonSchema)) return parametersJsonSchema;
  return isObject(parameters) ? jsonSchemaOf(parameters) : { type: "object", properties: {} };
}

/** Google's Schema as JSON Schema: types in lower case, `nullable` as a type, counts as numbers. */
function jsonSchemaOf(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).flatMap(([key, value]) => translated(key, value, schema)));
}

function translated(written: string, value: unknown, { nullable }: JsonObject): [string, unknown][] {
  const key = written.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  if (key === "type" && isText(value)) {
    const type = value.toLowerCase();
    return [[key, nullable === true ? [type, "null"] : type]];
  }
  if (key === "properties" && isObject(value))
    return [[key, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, within(inner)]))]];
  if (key === "items") return [[key, within(value)]];
  if (key === "anyOf") return [[key, listOf(value).map(within)]];
  if (numbers.includes(key)) return [[key, Number(value)]];
  return key === "nullable" || key === "propertyOrdering" ? [] : [[key, value]];
}

function within(schema: unknown): unknown {
  return isObject(schema) ? jsonSchemaOf(schema) : schema;
}
