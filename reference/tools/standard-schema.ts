// Schemas of other libraries: their JSON Schema is for the model, their own validation for what it wrote.

import { ToolError } from "../core/execute-tool-calls.ts";
import type { InputProblem, Ports } from "../core/ports.ts";
import { listed } from "../state/input-problems.ts";

/**
 * What libraries share (Zod, Valibot, ArkType, …): `validate` of Standard Schema and `jsonSchema` of Standard JSON Schema.
 * @see https://standardschema.dev
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly validate?: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly jsonSchema?: { input(options: { target: string }): Record<string, unknown> };
  };
}

/** A value, as the library made it, or what is wrong. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The standard schema behind a JSON Schema. */
const behind = new WeakMap<object, StandardSchema>();

/** Whether a schema is of another library. Those of some are functions. */
export function isStandard(schema: unknown): schema is StandardSchema {
  const isObject = (typeof schema === "object" && schema !== null) || typeof schema === "function";
  return isObject && "~standard" in schema;
}

/** From now on what has to match the JSON Schema is validated by the standard schema instead. */
export function validateWith<S extends object>(json: S, standard: StandardSchema): S {
  if (standard["~standard"].validate) behind.set(json, standard);
  return json;
}

/** The same for a JSON Schema that says what another one says, a copy in a snapshot for example. */
export function validateLike(copy: object, json: object): void {
  const standard = behind.get(json);
  if (standard) behind.set(copy, standard);
}

/**
 * The JSON Schema of what the library takes in.
 * @throws TypeError that says what to do, if the library cannot make one
 */
export function jsonSchemaOf(standard: StandardSchema, where: string): Record<string, unknown> {
  const { jsonSchema } = standard["~standard"];
  if (jsonSchema) return validateWith({ ...jsonSchema.input({ target: "draft-2020-12" }) }, standard);
  throw new TypeError(
    `${where}: expected a JSON Schema, or a standard schema with "~standard".jsonSchema; this one cannot be converted. ` +
      "Give the JSON Schema beside it, and this one as `validate`.",
  );
}

/** What is wrong with a value, by the schema of the library if there is one. @see TOOL-4 */
export async function problemsBySchema(
  schema: Record<string, unknown>,
  value: unknown,
  validateInput: Ports["validateInput"],
): Promise<InputProblem[]> {
  const standard = behind.get(schema);
  try {
    if (!standard) return await validateInput(schema, value);
    const { issues = [] } = await standard["~standard"].validate!(value);
    return issues.map(({ message, path = [] }) => ({ pointer: pointerOf(path), message }));
  } catch (thrown) {
    // A schema that cannot be followed admits nothing: its tool is not executed, and the run goes on.
    const reason = thrown instanceof Error ? thrown.message.split("\n")[0] : String(thrown);
    return [{ pointer: "", message: `cannot be checked by its schema (${reason})` }];
  }
}

/** Whether the value for a tool or an output has to be made by a library. */
export function isMade(schema: object): boolean {
  return behind.has(schema);
}

/**
 * The value that the library makes of what the model wrote: with defaults, transformed.
 * @throws ToolError if it is not valid any more
 */
export async function madeOf(schema: object, value: unknown): Promise<unknown> {
  const result = await behind.get(schema)!["~standard"].validate!(value);
  if (!result.issues) return result.value;
  const problems = result.issues.map(({ message, path = [] }) => ({ pointer: pointerOf(path), message }));
  throw new ToolError(`The arguments are not valid: ${listed(problems)}. Nothing was executed.`, {
    outcome: "invalid_arguments",
  });
}

function pointerOf(path: NonNullable<StandardIssue["path"]>): string {
  const keys = path.map((step) => String(typeof step === "object" ? step.key : step));
  return keys.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
