// Proves the schemas: every example is valid, every counterexample fails for its one named reason, nothing is unsaid.

import { Ajv2020 } from "ajv/dist/2020.js";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { schemaRefs, type SchemaType } from "../kit/base/schema-refs.ts";
import { validate } from "../kit/base/validate.ts";
import { readSchemaFiles, root, type Schema } from "./schema-files.ts";

interface Counterexample {
  fault: string;
  pointer: string;
  keyword: string;
  instance: unknown;
}

const types = Object.keys(schemaRefs) as SchemaType[];
const driverTypes = new Set(types.filter((type) => schemaRefs[type].startsWith("driver.schema.json")));

/** Every mistake in the schemas and their examples, one line each; empty if all is well. */
export function schemaMistakes(folder = join(root, "schemas")): string[] {
  const files = readSchemaFiles(folder);
  const unsaid = [...files].flatMap(([file, schema]) => [...proseMistakes(schema, `${file}#`)]);
  return [...unsaid, ...exampleMistakes(folder, files), ...strayFolders(folder)];
}

/** Every property is described, and every object is closed or said to be open. */
export function* proseMistakes(schema: Schema, at: string, parent?: Schema): Generator<string> {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isConstraint = schema.type === undefined && parent !== undefined;
    if (!isConstraint && !property.description) yield `${at}/properties/${name} has no description`;
  }
  if (/\$defs\/\w+$/.test(at) && !schema.description) yield `${at} has no description`;
  if (schema.type === "object") yield* opennessMistakes(schema, at);
  for (const [keyword, inner] of children(schema)) yield* proseMistakes(inner, `${at}/${keyword}`, schema);
}

function* opennessMistakes(schema: Schema, at: string): Generator<string> {
  const isOpen = schema.additionalProperties === true;
  if (schema.additionalProperties === undefined && !schema.oneOf && !schema.anyOf && schema.title !== undefined) {
    yield `${at} is neither closed (additionalProperties: false) nor open (true)`;
  }
  const isNamed = schema.description !== undefined && !/[/](anyOf|oneOf)[/][0-9]+$/.test(at);
  const isMessageOrPart = /^(message|part)\.schema\.json#\/\$defs/.test(at); // their files say it once for all
  if (isOpen && isNamed && !isMessageOrPart && !/\bopen\b/i.test(schema.description!))
    yield `${at} is open, and its description does not say so`;
}

function* children(schema: Schema): Generator<[string, Schema]> {
  for (const keyword of ["properties", "$defs"] as const) {
    for (const [name, inner] of Object.entries(schema[keyword] ?? {})) yield [`${keyword}/${name}`, inner];
  }
  for (const keyword of ["anyOf", "oneOf", "allOf"] as const) {
    for (const [index, inner] of (schema[keyword] ?? []).entries()) yield [`${keyword}/${index}`, inner];
  }
  if (schema.items) yield ["items", schema.items];
  if (typeof schema.additionalProperties === "object") yield ["additionalProperties", schema.additionalProperties];
}

function exampleMistakes(folder: string, files: Map<string, Schema>): string[] {
  const mistakes: string[] = [];
  const ajv = new Ajv2020({ discriminator: true, strict: false });
  for (const [name, schema] of files) ajv.addSchema(schema, name);

  for (const type of types) {
    const isValid = ajv.getSchema(schemaRefs[type])!;
    const examples = readJson<unknown>(join(folder, "examples", type));
    if (examples.length < 2)
      mistakes.push(`schemas/examples/${type}: ${examples.length} example(s); every type has at least 2`);
    for (const [name, value] of examples) {
      const at = `schemas/examples/${type}/${name}`;
      for (const { pointer, message } of validate(type, value))
        mistakes.push(`${at}: ${pointer || "(whole value)"} ${message}`);
      if ((validate(type, value).length === 0) !== isValid(value))
        mistakes.push(`${at}: the compiled validator and ajv disagree`);
    }

    const counterexamples = readJson<Counterexample>(join(folder, "counterexamples", type));
    const wanted = driverTypes.has(type) ? 1 : 3;
    if (counterexamples.length < wanted)
      mistakes.push(`schemas/counterexamples/${type}: ${counterexamples.length}; this type has at least ${wanted}`);
    for (const [name, { fault, pointer, keyword, instance }] of counterexamples) {
      const at = `schemas/counterexamples/${type}/${name}`;
      if (!/^[A-Z].*\.$/.test(fault ?? "")) mistakes.push(`${at}: "fault" must be one sentence`);
      const problems = validate(type, instance);
      const failures =
        problems.map((one) => `${one.keyword} at "${one.pointer}" (${one.message})`).join("; ") || "nothing";
      if (problems.length !== 1 || problems[0]!.keyword !== keyword || problems[0]!.pointer !== pointer) {
        mistakes.push(`${at}: should fail for ${keyword} at "${pointer}" alone, but fails for ${failures}`);
      }
      if (isValid(instance)) mistakes.push(`${at}: ajv finds it valid`);
    }
  }
  return mistakes;
}

/** A folder that belongs to no type is never checked. */
function strayFolders(folder: string): string[] {
  return ["examples", "counterexamples"].flatMap((kind) =>
    readdirSync(join(folder, kind))
      .filter((name) => !types.includes(name as SchemaType))
      .map((name) => `schemas/${kind}/${name}: no type is called ${name}. Types: ${types.join(", ")}`),
  );
}

function readJson<T>(folder: string): [string, T][] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((name) => [name, JSON.parse(readFileSync(join(folder, name), "utf8")) as T]);
}

if (import.meta.main) {
  const mistakes = schemaMistakes();
  for (const mistake of mistakes) console.error(mistake);
  if (mistakes.length > 0) process.exitCode = 1;
  else console.log(`${types.length} types proven by their examples and counterexamples`);
}
