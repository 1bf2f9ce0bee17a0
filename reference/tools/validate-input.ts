// Checks the arguments of a call against the tool's schema, without code generation, so that it works on edge runtimes too.

import type { OutputUnit, Schema, Validator } from "@cfworker/json-schema";
import type { InputProblem } from "../core/ports.ts";
import { dialectOf, withoutFormats } from "./check-schema.ts";

const validators = new WeakMap<object, Validator>();

/**
 * Never throws because of the arguments: what cannot be checked does not match. Expects a schema that `checkSchema` takes.
 * @returns every violation with its JSON Pointer into the arguments; empty if there is none. Nothing is converted.
 * @see TOOL-4 TOOL-6 TOOL-42
 */
export async function validateInput(schema: Record<string, unknown>, input: unknown): Promise<InputProblem[]> {
  try {
    const validator = validators.get(schema) ?? (await makeValidator(schema));
    return problemsOf(validator, input);
  } catch (error) {
    return [{ pointer: "", message: `cannot be checked (${error instanceof Error ? error.message : String(error)})` }];
  }
}

function problemsOf(validator: Validator, input: unknown): InputProblem[] {
  const { errors } = validator.validate(input);
  return errors.filter(isCause).map(({ instanceLocation, error }) => ({
    pointer: decodeURI(instanceLocation.slice(1)), // it comes as a URI fragment: #/city
    message: error === NOT_ALLOWED ? "is not allowed" : error.replace(/\.$/, ""),
  }));
}

/** The library is loaded with the first call of a tool: it would double the import time of the package. */
async function makeValidator(schema: Record<string, unknown>): Promise<Validator> {
  const { Validator } = await import("@cfworker/json-schema");
  const validator = new Validator(withoutFormats(schema) as Schema, dialectOf(schema) ?? "2020-12", false);
  validators.set(schema, validator);
  return validator;
}

/** The validator's error for a property that `additionalProperties: false` rejects. */
const NOT_ALLOWED = "False boolean schema.";

/** Omits an error that only repeats a deeper one. */
function isCause(unit: OutputUnit, _: number, all: OutputUnit[]): boolean {
  if (unit.keyword === "additionalProperties") return false;
  return !all.some((other) => other !== unit && other.keywordLocation.startsWith(`${unit.keywordLocation}/`));
}
