// Says whether a JSON Schema keeps the limits within which OpenAI's APIs guarantee that an output matches it.

import { isRecord } from "../shared/arguments.ts";

type Schema = Record<string, unknown>;

const types = new Set(["string", "number", "boolean", "integer", "object", "array", "null"]);
const formats = new Set("date-time time date duration email hostname ipv4 ipv6 uuid".split(" "));

/** The keywords that strict schemas may have. Those without a check may have any value. */
const keywords: Record<string, (value: unknown) => boolean> = {
  $schema: anything,
  title: anything,
  description: anything,
  $ref: anything,
  enum: anything,
  const: anything,
  required: anything,
  additionalProperties: anything,
  pattern: anything,
  minimum: anything,
  maximum: anything,
  exclusiveMinimum: anything,
  exclusiveMaximum: anything,
  multipleOf: anything,
  minItems: anything,
  maxItems: anything,
  type: (value) => [value].flat().every((type) => types.has(type as string)),
  format: (value) => formats.has(value as string),
  properties: (value) => isRecord(value) && Object.values(value).every(isStrict),
  $defs: (value) => isRecord(value) && Object.values(value).every(isStrict),
  definitions: (value) => isRecord(value) && Object.values(value).every(isStrict),
  items: isStrict,
  anyOf: (value) => Array.isArray(value) && value.every(isStrict),
};

/**
 * True if the schema may be sent with `strict: true`: its root is an object, every object in it forbids other properties and
 * requires all of its own, and it has only keywords that the guide lists. A schema that is not strict is sent all the same.
 * @see https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 * @see CHAT-33 RESPONSES-29
 */
export function isStrictSchema(schema: Schema): boolean {
  return schema.type === "object" && schema.anyOf === undefined && isStrict(schema);
}

function isStrict(schema: unknown): boolean {
  if (!isRecord(schema)) return false;
  if (!["type", "anyOf", "$ref", "enum", "const"].some((key) => key in schema)) return false;
  const known = Object.entries(schema).every(([key, value]) => Object.hasOwn(keywords, key) && keywords[key]!(value));
  return (
    known && (!describes(schema, "object") || isClosed(schema)) && (!describes(schema, "array") || "items" in schema)
  );
}

function describes({ type }: Schema, kind: string): boolean {
  return [type].flat().includes(kind);
}

function isClosed({ properties, required, additionalProperties }: Schema): boolean {
  if (!isRecord(properties) || additionalProperties !== false || !Array.isArray(required)) return false;
  return Object.keys(properties).every((name) => required.includes(name));
}

function anything(): boolean {
  return true;
}
