// Checks arguments against the keywords of JSON Schema that every loop knows. If your tools need more, put your validator here.

import type { InputProblem } from "../../reference/core/ports.ts";

interface Keywords {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema;
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
}
type Schema = boolean | Keywords;

/**
 * @returns every violation with its JSON Pointer into the arguments; empty if there is none. Nothing is converted.
 * @see TOOL-4 TOOL-6
 */
export async function validateInput(schema: Record<string, unknown>, input: unknown): Promise<InputProblem[]> {
  return problemsOf(schema, input, "");
}

function problemsOf(schema: Schema, value: unknown, pointer: string): InputProblem[] {
  if (typeof schema === "boolean") return schema ? [] : [{ pointer, message: "is not allowed" }];
  const types = schema.type === undefined ? undefined : [schema.type].flat();
  if (types && !types.some((type) => isOfType(value, type)))
    return [{ pointer, message: `must be of type ${types.join(" or ")}` }];
  const problems: InputProblem[] = [];
  if (schema.enum && !schema.enum.some((one) => isSame(one, value)))
    problems.push({ pointer, message: `must be one of ${JSON.stringify(schema.enum)}` });
  if ("const" in schema && !isSame(schema.const, value))
    problems.push({ pointer, message: `must be ${JSON.stringify(schema.const)}` });
  const inside = Array.isArray(value) ? inList(schema, value, pointer) : inObject(schema, value, pointer);
  return [...problems, ...inside];
}

function inList({ items = true }: Keywords, list: unknown[], pointer: string): InputProblem[] {
  return list.flatMap((item, i) => problemsOf(items, item, `${pointer}/${i}`));
}

function inObject(schema: Keywords, value: unknown, pointer: string): InputProblem[] {
  if (!isObject(value)) return [];
  const { properties = {}, required = [], additionalProperties = true } = schema;
  const missing = required.filter((name) => !Object.hasOwn(value, name));
  return [
    ...missing.map((name) => ({ pointer, message: `must have ${JSON.stringify(name)}` })),
    ...Object.entries(value).flatMap(([name, inner]) => {
      const own = Object.hasOwn(properties, name) ? properties[name]! : additionalProperties;
      return problemsOf(own, inner, `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    }),
  ];
}

function isOfType(value: unknown, type: string): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether two JSON values are equal, whatever the order of their keys. */
function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => isSame(item, b[i]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]));
}
