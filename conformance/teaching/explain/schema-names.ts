// Explains what only the schemas or the sentences of the spec name: types, fields, the values of fields, and other words.

import { readFileSync, readdirSync } from "node:fs";
import { packagePath } from "../../kit/base/package-root.ts";
import { fieldLines } from "./field-lines.ts";
import type { Kind } from "./kind.ts";
import { listed, listedRequirements } from "./lists.ts";
import { meaningIn, titledSchemas, typeName } from "./schemas.ts";
import type { Schema } from "./schemas.ts";
import { closedLists } from "./vocabularies.ts";

/** Unions of up to so many types are shown with the fields of each. */
const few = 5;

export const typeKind: Kind = {
  called: "a type",
  names: () => new Set(titledSchemas().flatMap((schema) => (isType(schema) ? [typeName(schema)] : []))),
  *explain(name) {
    const schema = titledSchemas().find((one) => typeName(one) === name && isType(one))!;
    yield `${name}, a type  ${schema.description}`;
    yield* listed("Fields", fieldLines(schema));
    yield* listed("One of", branchLines(branchesOf(schema)));
    yield* closedLists(schema);
    const example = smallestOf(name);
    if (example !== undefined) yield `  For example: ${example}`;
  },
};

/** An object, or one of several. */
function isType(schema: Schema): boolean {
  return schema.title !== undefined && (schema.properties !== undefined || branchesOf(schema).length > 0);
}

/** The types that a value of this type may have. */
function branchesOf({ oneOf, anyOf, properties }: Schema): Schema[] {
  const titled = (oneOf ?? anyOf ?? []).map(({ $ref, title }) => title ?? $ref?.replace(/^#\/\$defs\//, ""));
  const found = titled.map((name) => titledSchemas().find(({ title }) => title === name));
  return properties || found.includes(undefined) ? [] : (found as Schema[]);
}

/** The types, and where they are few their fields. */
function branchLines(branches: readonly Schema[]): string[] {
  return branches.flatMap((schema) => [
    `${schema.title}  ${schema.description}`,
    ...(branches.length > few ? [] : fieldLines(schema).map((line) => `  ${line}`)),
  ]);
}

export const fieldKind: Kind = {
  called: "a field",
  names: () => new Set(titledSchemas().flatMap(({ properties = {} }) => Object.keys(properties))),
  *explain(name) {
    const of = titledSchemas().flatMap(({ title, properties = {} }) => {
      const description = properties[name]?.description;
      return description === undefined ? [] : [`${title}  ${description}`];
    });
    yield `${name}, a field`;
    yield* listed("Of", [...new Set(of)]);
  },
};

export const valueKind: Kind = {
  called: "a value",
  names: () => new Set(choices().flatMap(({ values }) => values)),
  *explain(name) {
    const of = choices().filter(({ values }) => values.includes(name));
    yield `${name}, a value`;
    yield* listed("Of", [
      ...new Set(
        of.map(({ title, field, schema }) => `${field} of ${title}  ${meaningIn(name, schema) ?? schema.description}`),
      ),
    ]);
  },
};

/** A word that requirements name in code, such as a method of the driver protocol. */
export const wordKind: Kind = {
  called: "a word of the spec",
  names: ({ suite }) =>
    new Set(
      [...suite.catalogue.requirements.values()].flatMap(({ text }) =>
        [...text.matchAll(/`([\w/.]+)`/g)].map(([, word]) => word!),
      ),
    ),
  *explain(name, sources) {
    const named = [...sources.suite.catalogue.requirements.values()].filter(({ text }) => text.includes(`\`${name}\``));
    yield `${name}, a word of the spec`;
    yield* listedRequirements("Requirements", named, sources);
  },
};

/** The fields that have one of a few values. */
function choices() {
  return titledSchemas().flatMap(({ title, properties = {} }) =>
    Object.entries(properties).flatMap(([field, schema]) => {
      const values = schema.enum?.filter((value) => typeof value === "string");
      return values === undefined ? [] : [{ title, field, schema, values }];
    }),
  );
}

/** The smallest of the type's own examples. */
function smallestOf(type: string): string | undefined {
  const folders = readdirSync(packagePath("schemas", "examples"));
  if (!folders.includes(type)) return undefined;
  const files = readdirSync(packagePath("schemas", "examples", type));
  const examples = files.map((file) =>
    JSON.stringify(JSON.parse(readFileSync(packagePath("schemas", "examples", type, file), "utf8"))),
  );
  return examples.sort((left, right) => left.length - right.length)[0];
}
