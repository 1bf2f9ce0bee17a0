// Narrows a JSON Schema to what Anthropic's Messages API can make a model keep to.

import { isRecord } from "../shared/arguments.ts";
import { wellFormed } from "../../support/well-formed.ts";
import { losses } from "./losses.ts";
import type { WarnOfLoss } from "../shared/losses.ts";

type Schema = Record<string, unknown>;

/** The keywords that the API refuses. */
const refused = new Set(
  `minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength maxItems uniqueItems contains minProperties
  maxProperties patternProperties propertyNames not if then else`.split(/\s+/),
);

/** The values of `format` that it knows. */
const formats = new Set("date-time time date duration email hostname uri ipv4 ipv6 uuid".split(" "));

/** What of a schema cannot be sent: keywords, and that an object may have any properties. */
interface Omitted {
  keywords: Set<string>;
  isOpen: boolean;
}

/**
 * The schema with every object closed, as the API demands, and without the keywords that it refuses; what was left out is warned
 * of, and is for the loop to check. Nothing for a schema of objects whose properties have no names: closed, they would be empty.
 * @see https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations
 * @see ANTHROPIC-25
 */
export function narrowSchema(schema: Schema, warn: WarnOfLoss): Schema | undefined {
  const omitted: Omitted = { keywords: new Set(), isOpen: false };
  const narrowed = narrow(schema, omitted) as Schema;
  if (omitted.isOpen)
    return void warn(
      losses.map,
      "the output format was left out: the API knows no object whose properties have no names",
    );
  const { keywords } = omitted;
  if (keywords.size > 0)
    warn(
      losses.schema,
      `the model is not held to ${[...keywords].join(", ")} of the output format: the API refuses it`,
    );
  return wellFormed(narrowed);
}

function narrow(schema: unknown, omitted: Omitted): unknown {
  if (!isRecord(schema)) return schema;
  const kept = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (keyword === "$schema") return []; // names the dialect, and limits nothing
    if (isRefused(keyword, value)) {
      omitted.keywords.add(keyword);
      return [];
    }
    const known = keyword === "oneOf" ? "anyOf" : keyword;
    return [[known, inside(known, value, omitted)]];
  });
  const narrowed = Object.fromEntries(kept);
  const { type, properties, additionalProperties } = narrowed;
  const isObject = [type].flat().includes("object") || isRecord(properties);
  if (!isObject || additionalProperties === false) return narrowed;
  const isNamed = isRecord(properties) && Object.keys(properties).length > 0 && !isRecord(additionalProperties);
  if (!isNamed) omitted.isOpen = true;
  return { ...narrowed, additionalProperties: false };
}

/** What stands under a keyword: schemas by name, a list of schemas, one schema, or no schema at all. */
function inside(keyword: string, value: unknown, omitted: Omitted): unknown {
  if (["properties", "$defs", "definitions"].includes(keyword) && isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, narrow(schema, omitted)]));
  }
  if (["anyOf", "allOf"].includes(keyword) && Array.isArray(value))
    return value.map((schema) => narrow(schema, omitted));
  return keyword === "items" ? narrow(value, omitted) : value;
}

function isRefused(keyword: string, value: unknown): boolean {
  if (keyword === "minItems") return value !== 0 && value !== 1;
  return keyword === "format" ? !formats.has(String(value)) : refused.has(keyword);
}
