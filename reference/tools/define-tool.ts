// Tools in code: a definition and its handler, with the type of the input inferred from the schema.

import type { ToolContext } from "../core/ports.ts";
import type { Tool, RunOptions } from "../../schemas/types.ts";

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

/** The interface of libraries with Standard JSON Schema support (Zod, Valibot, ArkType, …). @see https://standardschema.dev */
export interface StandardSchema<Input = unknown> {
  readonly "~standard": {
    readonly types?: { readonly input: Input } | undefined;
    readonly jsonSchema?: { input(options: { target: string }): Record<string, unknown> };
  };
}

type JsonSchema = Tool["input_schema"];

interface Definition<S, Input> extends Omit<Tool, "input_schema" | "external"> {
  input_schema: S;
  execute?: (input: Input, context: ToolContext) => unknown;
}

/**
 * Makes a tool from a JSON Schema or from a standard schema. The input's type is inferred from either.
 * @throws TypeError if a standard schema cannot be converted to JSON Schema.
 * @see TOOL-4
 */
export function defineTool<const S extends JsonSchema>(definition: Definition<S, FromSchema<S>>): DefinedTool;
export function defineTool<Input>(definition: Definition<StandardSchema<Input>, Input>): DefinedTool;
export function defineTool(definition: Definition<JsonSchema | StandardSchema, never>): DefinedTool {
  const { input_schema, ...rest } = definition;
  const tool = {
    ...rest,
    input_schema: "~standard" in input_schema ? asJsonSchema(input_schema as StandardSchema, rest.name) : input_schema,
  };
  return tool.execute ? tool : { ...tool, external: true };
}

function asJsonSchema(schema: StandardSchema, name: string): JsonSchema {
  const { jsonSchema } = schema["~standard"];
  if (!jsonSchema) {
    throw new TypeError(
      `defineTool(${JSON.stringify(name)}): expected a JSON Schema, or a standard schema with "~standard".jsonSchema; ` +
        "this one cannot be converted. Convert it with its own library, and pass the result as input_schema.",
    );
  }
  return { ...jsonSchema.input({ target: "draft-2020-12" }), type: "object" };
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
