// Validates values against the schemas: with precompiled code where all is well, and with an interpreter that can say
// what is wrong where it is not. Nothing is loaded before the first call.

import { createRequire } from "node:module";
import { explain } from "./explain-problem.ts";
import type { SchemaProblem } from "./schema-problem.ts";
import type { SchemaType } from "./schema-refs.ts";

export type { SchemaType } from "./schema-refs.ts";

type Validators = Record<SchemaType, (value: unknown) => boolean>;

let validators: Validators | undefined;

/**
 * Lists everything that is wrong with a value; an empty list means that it is valid. The value is not changed.
 * @param type the name of a schema, for example `Session` or `RunParams`
 */
export function validate(type: SchemaType, value: unknown): SchemaProblem[] {
  if (isValid(type, value)) return [];
  const problems = explain(type, value);
  if (problems.length > 0) return problems;
  return [
    {
      pointer: "",
      keyword: "schema",
      message: `not a valid ${type}: it contains a value that JSON cannot represent, such as undefined`,
    },
  ];
}

/** Says only whether a value is valid; costs microseconds. */
export function isValid(type: SchemaType, value: unknown): boolean {
  validators ??= createRequire(import.meta.url)("./validators.js") as Validators;
  const validator = validators[type];
  if (validator === undefined) {
    throw new Error(`No schema is called "${type}". Known: ${Object.keys(validators).join(", ")}.`);
  }
  return validator(value);
}

/** Problems as lines for a terminal: `/messages/0/role: expected …`. */
export function describeProblems(problems: readonly SchemaProblem[]): string {
  return problems.map(({ pointer, message }) => `${pointer === "" ? "(whole value)" : pointer}: ${message}`).join("\n");
}
