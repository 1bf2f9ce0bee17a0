// Explains why a value breaks a schema; for a union, only the errors of the intended branch.

import type { OutputUnit, Schema, Validator } from "@cfworker/json-schema";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { packagePath } from "./package-root.ts";
import type { SchemaProblem } from "./schema-problem.ts";
import { schemaRefs, type SchemaType } from "./schema-refs.ts";

/** The properties that say which branch of a union a value means. */
const discriminators = ["role", "type", "do", "action", "seam"];
/** Errors that only say that an error lies deeper. */
const wrappers = new Set(["$ref", "properties", "items", "allOf", "if", "then", "else", "additionalProperties"]);
const unions = new Set(["anyOf", "oneOf"]);
const base = "https://schemas.invalid";

let files: Map<string, Schema> | undefined;
const interpreters = new Map<SchemaType, Validator>();

/** Everything that is wrong with a value, in the order of the schema; empty if it is valid. */
export function explain(type: SchemaType, value: unknown): SchemaProblem[] {
  const json: unknown = JSON.parse(JSON.stringify(value) ?? "null"); // the interpreter throws on undefined
  return report(nameUnknownProperties(interpreter(type).validate(json).errors), type, json);
}

function interpreter(type: SchemaType): Validator {
  let made = interpreters.get(type);
  if (made === undefined) {
    const library = createRequire(import.meta.url)("@cfworker/json-schema") as typeof import("@cfworker/json-schema");
    made = new library.Validator({ $ref: `${base}/${schemaRefs[type]}` }, "2020-12", false);
    for (const [name, schema] of schemaFiles()) made.addSchema(schema, `${base}/${name}`);
    interpreters.set(type, made);
  }
  return made;
}

function schemaFiles(): Map<string, Schema> {
  const folder = packagePath("schemas");
  files ??= new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith(".schema.json"))
      .map((name) => [name, JSON.parse(readFileSync(`${folder}/${name}`, "utf8")) as Schema]),
  );
  return files;
}

/** The interpreter says "false" of an unknown property without saying which keyword forbade it. */
function nameUnknownProperties(errors: OutputUnit[]): OutputUnit[] {
  return errors.flatMap((error, index) => {
    if (errors[index + 1]?.keyword === "false") return [];
    if (error.keyword !== "false") return [error];
    return [{ ...error, keyword: "unknown", keywordLocation: errors[index - 1]!.keywordLocation }];
  });
}

function report(errors: OutputUnit[], type: SchemaType, value: unknown): SchemaProblem[] {
  const failedUnions = errors.filter((error) => unions.has(error.keyword));
  const outermost = failedUnions.filter(
    (union) => !failedUnions.some((other) => other !== union && inside(union, other)),
  );
  const problems: SchemaProblem[] = [];
  for (const error of errors) {
    // What is wrong with a name is said of the object that has it.
    if (error.keywordLocation.includes("/propertyNames/")) continue;
    if (outermost.includes(error)) problems.push(...reportUnion(error, errors, type, value));
    else if (!wrappers.has(error.keyword) && !outermost.some((union) => inside(error, union))) {
      problems.push(problem(error, type, value));
    }
  }
  return problems.filter((one) => !unions.has(one.keyword) || !problems.some((other) => isTypeProblem(other, one)));
}

/** For a value of the wrong JSON type, the alternatives are not listed. */
function isTypeProblem(problem: SchemaProblem, union: SchemaProblem): boolean {
  return problem.keyword === "type" && problem.pointer === union.pointer;
}

/** Reports the one branch that the value means, or else the union as a whole. */
function reportUnion(union: OutputUnit, errors: OutputUnit[], type: SchemaType, value: unknown): SchemaProblem[] {
  const branches = new Map<string, OutputUnit[]>();
  for (const error of errors.filter((error) => inside(error, union))) {
    const index = error.keywordLocation.slice(union.keywordLocation.length + 1).split("/", 1)[0]!;
    branches.set(index, [...(branches.get(index) ?? []), error]);
  }
  const closed = [...branches].filter(([index]) => !isForExtensions(union, Number(index), type));
  if (closed.length === 1 && closed.length < branches.size) return report(closed[0]![1], type, value);
  const meant = [...branches.values()].filter((branch) => !branch.some((error) => isOtherKind(error, union)));
  if (meant.length === 1) return report(meant[0]!, type, value);
  return [problem(union, type, value)];
}

/** Whether a branch only takes names with a dot: who misspelt a name wants to read the list of those that are known. */
function isForExtensions(union: OutputUnit, index: number, type: SchemaType): boolean {
  const branch = (schemaAt(union.keywordLocation, type) as { $ref?: string }[])[index];
  return branch?.$ref?.startsWith("extension.schema.json") === true;
}

/** Whether the error means that the value belongs to another branch. */
function isOtherKind(error: OutputUnit, union: OutputUnit): boolean {
  const here = error.instanceLocation === union.instanceLocation;
  if (error.keyword === "required") return here && discriminators.some((name) => error.error.endsWith(`"${name}".`));
  if (error.keyword === "type") return here;
  if (!["const", "enum", "not"].includes(error.keyword)) return false;
  return here || discriminators.some((name) => error.instanceLocation === `${union.instanceLocation}/${name}`);
}

function inside(error: OutputUnit, union: OutputUnit): boolean {
  return (
    error.keywordLocation.startsWith(`${union.keywordLocation}/`) &&
    (error.instanceLocation === union.instanceLocation ||
      error.instanceLocation.startsWith(`${union.instanceLocation}/`))
  );
}

function problem(error: OutputUnit, type: SchemaType, value: unknown): SchemaProblem {
  const segments = split(error.instanceLocation);
  const parameter = schemaAt(error.keywordLocation, type);
  const actual = segments.reduce((at: unknown, key) => (at as Record<string, unknown>)[key], value);
  return {
    pointer: segments.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""),
    keyword: error.keyword === "unknown" ? "additionalProperties" : error.keyword,
    message: sentence(error, parameter, actual, segments.at(-1), type),
  };
}

function sentence(
  error: OutputUnit,
  parameter: unknown,
  actual: unknown,
  key: string | undefined,
  type: SchemaType,
): string {
  switch (error.keyword) {
    case "required":
      return `is missing ${/"[^"]*"(?=\.$)/.exec(error.error)?.[0] ?? "a property"}`;
    case "unknown": {
      const parent = schemaAt(error.keywordLocation.replace(/\/additionalProperties$/, ""), type) as Schema;
      return `unknown property "${key}"; expected one of: ${Object.keys(parent.properties ?? {}).join(", ") || "none"}`;
    }
    case "type":
      return `expected ${[parameter].flat().join(" or ")}, got ${show(actual)}`;
    case "const":
      return `expected ${JSON.stringify(parameter)}, got ${show(actual)}`;
    case "enum":
      return `expected one of ${(parameter as unknown[]).map((one) => JSON.stringify(one)).join(", ")}, got ${show(actual)}`;
    case "pattern":
      return `expected text that matches ${String(parameter)}, got ${show(actual)}`;
    case "propertyNames":
      return `expected names that match ${String((parameter as Schema)["pattern"])}, got ${/"[^]*"/.exec(error.error)?.[0] ?? "others"}`;
    case "minLength":
      return "must not be empty";
    case "minItems":
    case "minProperties":
      return `expected at least ${String(parameter)}, got ${show(actual)}`;
    case "maxItems":
    case "maxProperties":
      return `expected at most ${String(parameter)}, got ${show(actual)}`;
    case "minimum":
      return `expected ${String(parameter)} or more, got ${show(actual)}`;
    case "maximum":
      return `expected ${String(parameter)} or less, got ${show(actual)}`;
    case "anyOf":
    case "oneOf": {
      const alternatives = [
        ...new Set((parameter as Schema[]).map((branch) => kindOf(branch, error.keywordLocation, type))),
      ];
      return `expected ${error.keyword === "oneOf" ? "exactly" : "at least"} one of: ${alternatives.join("; ")}; got ${show(actual)}`;
    }
    default:
      return `${error.error.replace(/^Instance /, "").replace(/\.$/, "")} (${error.keyword}); got ${show(actual)}`;
  }
}

/** A short description of a branch of a union. */
function kindOf(branch: Schema, location: string, type: SchemaType): string {
  const schema =
    branch.$ref === undefined
      ? branch
      : (schemaAt(`${location}/${indexOf(branch, location, type)}/$ref`, type) as Schema);
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  for (const name of discriminators) {
    if (properties[name]?.const !== undefined) return `${name} ${JSON.stringify(properties[name].const)}`;
  }
  if (schema.title !== undefined) return schema.title;
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(", ");
  if (schema.required) return `has ${schema.required.join(" and ")}`;
  if (schema.type !== undefined) return [schema.type].flat().join(" or ");
  return (
    Object.entries(properties)
      .map(([name, { type }]) => `${name} is ${[type].flat().join(" or ")}`)
      .join(", ") || "anything else"
  );
}

function indexOf(branch: Schema, location: string, type: SchemaType): number {
  return (schemaAt(location, type) as Schema[]).indexOf(branch);
}

/** Follows a keyword location such as `#/$ref/properties/id/minLength` through the schema files. */
function schemaAt(location: string, type: SchemaType): unknown {
  let file = "";
  let at: unknown = { $ref: schemaRefs[type] };
  for (const segment of split(location)) {
    at = (at as Record<string, unknown>)[segment];
    if (segment !== "$ref") continue;
    const [name, path = ""] = String(at).split("#") as [string, string?];
    file = name || file;
    at = split(`#${path}`).reduce(
      (schema: unknown, key) => (schema as Record<string, unknown>)[key],
      schemaFiles().get(file),
    );
  }
  return at;
}

function split(location: string): string[] {
  return location
    .split("/")
    .slice(1)
    .map((part) => decodeURI(part).replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** A value in few characters. */
function show(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (value !== null && typeof value === "object") {
    const names = discriminators.filter((name) => name in value);
    if (names.length > 0)
      return `an object with ${names.map((name) => `${name} ${show((value as Record<string, unknown>)[name])}`).join(", ")}`;
    return `an object with ${Object.keys(value).slice(0, 6).join(", ") || "nothing in it"}`;
  }
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…"` : text;
}
