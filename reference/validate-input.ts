// Checks the arguments of a call against the tool's schema, without code generation, so that it works on edge runtimes too.

import { Validator, type OutputUnit, type Schema } from "@cfworker/json-schema";
import type { InputProblem } from "./core/ports.ts";

const validators = new WeakMap<object, Validator>();

/**
 * @returns every violation with its JSON Pointer into the arguments; empty if there is none. Nothing is converted.
 * @see TOOL-4 TOOL-6
 */
export function validateInput(schema: Record<string, unknown>, input: Record<string, unknown>): InputProblem[] {
  let validator = validators.get(schema);
  if (!validator) validators.set(schema, (validator = new Validator(schema as Schema, "2020-12", false)));
  const { errors } = validator.validate(input);
  return errors.filter(isCause).map(({ instanceLocation, error }) => ({
    pointer: instanceLocation.slice(1), // it comes as a URI fragment: #/city
    message: error === NOT_ALLOWED ? "is not allowed" : error.replace(/\.$/, ""),
  }));
}

/** What the validator says of a property that `additionalProperties: false` refuses. */
const NOT_ALLOWED = "False boolean schema.";

/** An error that only says that something deeper is wrong adds nothing to the deeper one. */
function isCause(unit: OutputUnit, _: number, all: OutputUnit[]): boolean {
  if (unit.keyword === "additionalProperties") return false;
  return !all.some((other) => other !== unit && other.keywordLocation.startsWith(`${unit.keywordLocation}/`));
}
