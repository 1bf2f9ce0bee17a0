// Checks the arguments of a call against the tool's schema, without code generation, so that it works on edge runtimes too.

import type { OutputUnit, Schema, Validator } from "@cfworker/json-schema";
import type { InputProblem, Ports } from "../core/ports.ts";
import { dialectOf, withoutKeywords } from "./check-schema.ts";
import { uniquenessOf } from "./unique-items.ts";

/** The validators of a schema. */
interface Validators {
  whole: Validator;
  /** Without `uniqueItems`, if the schema has it. */
  rest?: Validator;
}

/** The library of validators. */
export interface Library {
  Validator: typeof Validator;
}

const validators = new WeakMap<object, Validators>();

/** Validates with a library. @param load gives it, with the first call of a tool */
export function validateWithLibrary(load: () => Library | Promise<Library>): Ports["validateInput"] {
  return (schema, input) => validate(schema, input, load);
}

/**
 * Never throws because of the arguments: what cannot be checked does not match. Expects a schema that `checkSchema` takes.
 * @returns every violation with its JSON Pointer into the arguments; empty if there is none. Nothing is converted.
 * @see TOOL-4 TOOL-6 TOOL-42
 */
async function validate(
  schema: Record<string, unknown>,
  input: unknown,
  load: () => Library | Promise<Library>,
): Promise<InputProblem[]> {
  try {
    const { whole, rest } = validators.get(schema) ?? makeValidators(schema, await load());
    const uniqueness = rest ? uniquenessOf(input) : "comparable";
    if (uniqueness === "too_long") return [{ pointer: "", message: TOO_LONG }];
    return problemsOf(uniqueness === "met" ? rest! : whole, input);
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

function makeValidators(schema: Record<string, unknown>, { Validator }: Library): Validators {
  const validatorOf = (one: object) => new Validator(one as Schema, dialectOf(schema) ?? "2020-12", false);
  // `format` asserts nothing, but the library would take it for an assertion. [TOOL-44]
  const [whole, rest] = [withoutKeywords(schema, "format"), withoutKeywords(schema, "format", "uniqueItems")];
  const hasUnique = JSON.stringify(whole) !== JSON.stringify(rest);
  const made = { whole: validatorOf(whole), ...(hasUnique && { rest: validatorOf(rest) }) };
  validators.set(schema, made);
  return made;
}

const TOO_LONG =
  "two items of a list are equal, and the lists are too long to find out whether they may be; send shorter ones";

/** The validator's error for a property that `additionalProperties: false` rejects. */
const NOT_ALLOWED = "False boolean schema.";

/** Omits an error that only repeats a deeper one. */
function isCause(unit: OutputUnit, _: number, all: OutputUnit[]): boolean {
  if (unit.keyword === "additionalProperties") return false;
  return !all.some((other) => other !== unit && other.keywordLocation.startsWith(`${unit.keywordLocation}/`));
}
