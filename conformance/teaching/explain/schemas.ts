// Reads the schemas for what they say about names: closed lists of words, kinds of events, fields.

import { readFileSync, readdirSync } from "node:fs";
import { packagePath } from "../../kit/base/package-root.ts";

/** The part of a JSON Schema that is explained. */
export interface Schema {
  title?: string;
  description?: string;
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  $ref?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  [keyword: string]: unknown;
}

let read: Schema[] | undefined;

/** Every schema with a title, wherever it stands, in the order of the files. */
export function titledSchemas(): Schema[] {
  read ??= schemaFiles().flatMap((schema) => [...titled(schema)]);
  return read;
}

function schemaFiles(): Schema[] {
  const folder = packagePath("schemas");
  const names = readdirSync(folder).filter((name) => name.endsWith(".schema.json"));
  return names.sort().map((name) => JSON.parse(readFileSync(packagePath("schemas", name), "utf8")) as Schema);
}

function* titled(schema: unknown): Generator<Schema> {
  if (typeof schema !== "object" || schema === null) return;
  const { title } = schema as Schema;
  if (typeof title === "string") yield schema as Schema;
  for (const inner of Object.values(schema)) yield* titled(inner);
}

/** What the description of a closed list says of one of its words: "deny wins over ask", "initial: the run began." */
export function meaningIn(word: string, { description = "" }: Schema): string | undefined {
  const sentence = description.match(/[^.]+(\.(?!\s|$)[^.]*)*\./g)?.find((one) => one.trim().startsWith(`${word}`));
  return sentence?.trim().replace(new RegExp(`^${word}: `), "");
}

/** What a titled schema is called in the tables of the spec and in TypeScript, where "event" means something else. */
export function typeName({ title = "" }: Schema): string {
  return title === "Event" ? "LoopEvent" : title;
}
