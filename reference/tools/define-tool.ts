// Tools in code: a definition and its handler, with the type of the input inferred from the schema.

import type { ToolContext } from "../core/ports.ts";
import type { Tool, RunOptions } from "../../schemas/types.ts";
import { isStandard, jsonSchemaOf, validateWith, type StandardSchema } from "./standard-schema.ts";

/** A tool and what it does. Without `execute` and `agent` it is external: its calls suspend the run. */
export type DefinedTool = Tool & {
  /** Returns text, parts, an envelope (`toolResult`), or any other value, which becomes JSON; undefined becomes an empty output. */
  execute?: (input: never, context: ToolContext) => unknown;
  /** With `agent`: overrides the setup of the parent. @see subagentTool */
  subagent?: SubagentSetup;
};

/** The setup of a subagent, as far as this module needs it. */
export interface SubagentSetup {
  agents?: Record<string, object>;
  options?: RunOptions;
  signal?: AbortSignal;
}

type JsonSchema = Tool["input_schema"];

interface Definition<S, V> extends Omit<Tool, "input_schema" | "external"> {
  input_schema: S;
  /** With a JSON Schema: the schema of another library that validates the input, and makes what `execute` is given. */
  validate?: V;
  execute?: (input: InputOf<S, V>, context: ToolContext) => unknown;
}

/** What `execute` is given: what a standard schema makes, or what a JSON Schema accepts. */
type InputOf<S, V> =
  V extends StandardSchema<infer _, infer O> ? O : S extends StandardSchema<infer _, infer O> ? O : FromSchema<S>;

/**
 * Makes a tool from a JSON Schema or from a standard schema. The input's type is inferred from either. A standard schema
 * validates what the model wrote itself, with its refinements; `execute` alone is given what it makes of it, with defaults and
 * transforms. The session, events, hooks and permissions have what the model wrote.
 * @throws TypeError if a standard schema cannot be converted to JSON Schema.
 * @see TOOL-4
 */
export function defineTool<
  const S extends JsonSchema | StandardSchema,
  V extends StandardSchema | undefined = undefined,
>(definition: Definition<S, V>): DefinedTool {
  const { input_schema, validate, ...rest } = definition;
  const schema = isStandard(input_schema) ? asJsonSchema(input_schema, rest.name) : (input_schema as JsonSchema);
  const tool = { ...rest, input_schema: validate ? validateWith({ ...schema }, validate) : schema } as DefinedTool;
  return tool.execute ? tool : { ...tool, external: true };
}

function asJsonSchema(schema: StandardSchema, name: string): JsonSchema {
  return Object.assign(jsonSchemaOf(schema, `defineTool(${JSON.stringify(name)})`), { type: "object" as const });
}

/** The type of the values that a JSON Schema accepts, as far as TypeScript can express it. */
export type FromSchema<S> = S extends { const: infer C }
  ? C
  : S extends { enum: readonly (infer E)[] }
    ? E
    : S extends { type: "string" }
      ? string
      : S extends { type: "number" | "integer" }
        ? number
        : S extends { type: "boolean" }
          ? boolean
          : S extends { type: "null" }
            ? null
            : S extends { type: "array"; items: infer I }
              ? FromSchema<I>[]
              : S extends { type: "object"; properties: infer P }
                ? Simplify<
                    { [K in keyof P as K extends Required<S> ? K : never]: FromSchema<P[K]> } & {
                      [K in keyof P as K extends Required<S> ? never : K]?: FromSchema<P[K]>;
                    }
                  >
                : S extends { type: "object" }
                  ? Record<string, unknown>
                  : unknown;

type Required<S> = S extends { required: readonly (infer R)[] } ? R : never;
type Simplify<T> = { -readonly [K in keyof T]: T[K] };
