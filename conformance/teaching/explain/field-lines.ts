// Says the fields of a type: of each its JSON type, whether it may be absent, what absent means, and what it is for.

import { titledSchemas, typeName } from "./schemas.ts";
import type { Schema } from "./schemas.ts";

/** One line for each field; the type is in brackets, as in "max_turns (integer or null, default 20)". */
export function fieldLines({ properties = {}, required = [] }: Schema, left: readonly string[] = []): string[] {
  const fields = Object.entries(properties).filter(([name]) => !left.includes(name));
  return fields.map(([name, schema]) => {
    const need = required.includes(name) ? "" : `, ${absence(schema)}`;
    return `${name} (${typeOf(schema)}${need})  ${schema.description}`;
  });
}

function absence(schema: Schema): string {
  return "default" in schema ? `default ${JSON.stringify(schema["default"])}` : "optional";
}

/** A type in words; one that has a name is only named. */
function typeOf(schema: Schema): string {
  const { $ref, type, items, additionalProperties: others } = schema;
  const choices = schema.anyOf ?? schema.oneOf;
  if ($ref !== undefined) return named($ref);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  if (choices && type === undefined) return choices.map(typeOf).join(" or ");
  if (type === undefined) return "any JSON value";
  if (Array.isArray(type)) return type.join(" or ");
  if (type === "array") return `list of ${items ? typeOf(items) : "anything"}`;
  return type === "object" && typeof others === "object" ? `object of ${typeOf(others as Schema)}` : String(type);
}

/** The title of a schema file, or the name of what stands in one. */
function named(ref: string): string {
  const file = titledSchemas().find(({ $id }) => $id === ref);
  return file ? typeName(file) : ref.replace(/^.*\//, "");
}
