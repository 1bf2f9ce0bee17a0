// Reads the schemas of the project, so that every development script sees the same list of named types.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

export const root = new URL("../../", import.meta.url).pathname;

/** A JSON Schema, or a piece of one. */
export interface Schema {
  [keyword: string]: unknown;
  $id?: string;
  $ref?: string;
  $defs?: Record<string, Schema>;
  title?: string;
  description?: string | undefined;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

/** A schema with a name of its own: a whole file, or an entry of its `$defs`. */
export interface NamedSchema {
  /** Name of the type, for example `ToolCallMessage`. */
  name: string;
  /** File name below `schemas/`. */
  file: string;
  /** What a `$ref` from another file says, for example `message.schema.json#/$defs/ToolCallMessage`. */
  ref: string;
  schema: Schema;
}

/** The files that only hold `$defs`; their root is no type of its own. */
const containers = new Set(["model.schema.json", "driver.schema.json"]);

/** Titles that mean something else in TypeScript. */
const renamed: Record<string, string> = { Event: "LoopEvent" };

/** Every schema file by name, parsed. */
export function readSchemaFiles(folder = join(root, "schemas")): Map<string, Schema> {
  const files = readdirSync(folder).filter((name) => name.endsWith(".schema.json"));
  return new Map(files.sort().map((name) => [name, JSON.parse(readFileSync(join(folder, name), "utf8")) as Schema]));
}

/** The type name of a titled schema. */
export function typeName(title: string): string {
  return renamed[title] ?? title;
}

/** The named types: the root of each file (containers aside), then its `$defs`, in file order. */
export function namedSchemas(files: Map<string, Schema>): NamedSchema[] {
  const named: NamedSchema[] = [];
  for (const [file, schema] of files) {
    if (!containers.has(file)) named.push({ name: typeName(schema.title ?? file), file, ref: file, schema });
    for (const [key, definition] of Object.entries(schema.$defs ?? {})) {
      named.push({ name: typeName(definition.title ?? key), file, ref: `${file}#/$defs/${key}`, schema: definition });
    }
  }
  return named;
}
