// The form of a run's output, whose type the result has.

import type { OutputFormat } from "../../schemas/types.ts";
import type { FromSchema } from "./define-tool.ts";
import { isStandard, jsonSchemaOf, validateWith, type StandardSchema } from "./standard-schema.ts";

/** A form of which TypeScript knows what it makes. The field is there for types only: no value has it. */
export interface TypedFormat<Output> extends OutputFormat {
  readonly output_type?: Output;
}

type JsonSchema = OutputFormat["schema"];

interface Definition<S, V> extends Omit<OutputFormat, "schema"> {
  schema: S;
  /** With a JSON Schema: the schema of another library that validates the output, and makes it. */
  validate?: V;
}

/**
 * Makes a form of a JSON Schema or of a standard schema. The output of a run with it has the type of the schema; with a standard
 * schema it is what that made of the answer, with its defaults and transforms.
 * @throws TypeError if a standard schema cannot be converted to JSON Schema
 * @see LOOP-63 LOOP-64
 */
export function outputFormat<
  const S extends JsonSchema | StandardSchema,
  V extends StandardSchema | undefined = undefined,
>({
  schema,
  validate,
  ...rest
}: Definition<S, V>): TypedFormat<
  V extends StandardSchema<infer _, infer O> ? O : S extends StandardSchema<infer _, infer O> ? O : FromSchema<S>
> {
  const json = isStandard(schema) ? jsonSchemaOf(schema, `outputFormat(${JSON.stringify(rest.name)})`) : schema;
  return { ...rest, schema: validate ? validateWith({ ...(json as JsonSchema) }, validate) : (json as JsonSchema) };
}
