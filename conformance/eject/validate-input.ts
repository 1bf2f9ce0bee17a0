// Checks arguments against the keywords of JSON Schema that every loop knows. If your tools need more, put your validator here.

import type { InputProblem } from "../../reference/core/ports.ts";

interface Keywords {
  [keyword: string]: unknown;
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  not?: Schema;
  if?: Schema;
  then?: Schema;
  else?: Schema;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema;
  prefixItems?: Schema[];
  /** In draft-07 a list stands for `prefixItems`, and `additionalItems` for what follows. */
  items?: Schema | Schema[];
  additionalItems?: Schema;
}
type Schema = boolean | Keywords;

/** A value, where it stands in the arguments, and the whole schema, in which references lead. */
interface Place {
  value: unknown;
  pointer: string;
  root: Keywords;
}

/**
 * @returns every violation with its JSON Pointer into the arguments; empty if there is none. Nothing is converted.
 * @see TOOL-4 TOOL-6 TOOL-42
 */
export async function validateInput(schema: Record<string, unknown>, input: unknown): Promise<InputProblem[]> {
  return problemsOf(schema, { value: input, pointer: "", root: schema });
}

function problemsOf(schema: Schema, place: Place): InputProblem[] {
  const { value, pointer, root } = place;
  const wrong = (message: string): InputProblem[] => [{ pointer, message }];
  if (typeof schema === "boolean") return schema ? [] : wrong("is not allowed");
  // In draft-07 nothing counts beside a reference.
  if (schema.$ref !== undefined && /draft-07/.test(String(root["$schema"])))
    return problemsOf(targetOf(schema.$ref, root), place);
  const types = schema.type === undefined ? undefined : [schema.type].flat();
  if (types && !types.some((type) => isOfType(value, type))) return wrong(`must be of type ${types.join(" or ")}`);
  return [
    ...(schema.$ref === undefined ? [] : problemsOf(targetOf(schema.$ref, root), place)),
    ...(schema.enum && !schema.enum.some((one) => isSame(one, value))
      ? wrong(`must be one of ${JSON.stringify(schema.enum)}`)
      : []),
    ...("const" in schema && !isSame(schema["const"], value)
      ? wrong(`must be ${JSON.stringify(schema["const"])}`)
      : []),
    ...limits(schema, value).flatMap(wrong),
    ...combined(schema, place),
    ...(Array.isArray(value) ? inList(schema, value, place) : inObject(schema, value, place)),
  ];
}

/** The messages for the limits that the value breaks. */
function limits(schema: Keywords, value: unknown): string[] {
  const size = typeof value === "string" ? [...value].length : Array.isArray(value) ? value.length : undefined;
  const count = isObject(value) ? Object.keys(value).length : undefined;
  const number = typeof value === "number" ? value : undefined;
  const [least, most] = typeof value === "string" ? ["minLength", "maxLength"] : ["minItems", "maxItems"];
  const broken = (keyword: string, holds: (limit: number) => boolean) =>
    typeof schema[keyword] === "number" && !holds(schema[keyword]) ? [`must keep ${keyword} ${schema[keyword]}`] : [];
  return [
    ...(size === undefined ? [] : [...broken(least!, (n) => size >= n), ...broken(most!, (n) => size <= n)]),
    ...(count === undefined
      ? []
      : [...broken("minProperties", (n) => count >= n), ...broken("maxProperties", (n) => count <= n)]),
    ...(number === undefined
      ? []
      : [
          ...broken("minimum", (n) => number >= n),
          ...broken("maximum", (n) => number <= n),
          ...broken("exclusiveMinimum", (n) => number > n),
          ...broken("exclusiveMaximum", (n) => number < n),
          ...broken("multipleOf", (n) => Math.abs(number / n - Math.round(number / n)) < 1e-9),
        ]),
    ...(typeof value === "string" &&
    typeof schema["pattern"] === "string" &&
    !new RegExp(schema["pattern"], "u").test(value)
      ? [`must match ${schema["pattern"]}`]
      : []),
  ];
}

function combined(schema: Keywords, place: Place): InputProblem[] {
  const { allOf = [], anyOf, oneOf, not, if: condition, then = true, else: otherwise = true } = schema;
  const fits = (one: Schema) => problemsOf(one, place).length === 0;
  const { pointer } = place;
  return [
    ...allOf.flatMap((one) => problemsOf(one, place)),
    ...(anyOf && !anyOf.some(fits) ? [{ pointer, message: "must fit one of several schemas" }] : []),
    ...(oneOf && oneOf.filter(fits).length !== 1
      ? [{ pointer, message: "must fit exactly one of several schemas" }]
      : []),
    ...(not !== undefined && fits(not) ? [{ pointer, message: "must not fit a schema" }] : []),
    ...(condition === undefined ? [] : problemsOf(fits(condition) ? then : otherwise, place)),
  ];
}

function inList(schema: Keywords, list: unknown[], { pointer, root }: Place): InputProblem[] {
  const { items = true, additionalItems = true } = schema;
  const first = schema.prefixItems ?? (Array.isArray(items) ? items : []);
  const others = Array.isArray(items) ? additionalItems : items;
  return list.flatMap((value, i) => problemsOf(first[i] ?? others, { value, pointer: `${pointer}/${i}`, root }));
}

function inObject(schema: Keywords, value: unknown, { pointer, root }: Place): InputProblem[] {
  if (!isObject(value)) return [];
  const { properties = {}, patternProperties = {}, required = [], additionalProperties = true } = schema;
  const missing = required.filter((name) => !Object.hasOwn(value, name));
  const patterns = Object.entries(patternProperties);
  return [
    ...missing.map((name) => ({ pointer, message: `must have ${JSON.stringify(name)}` })),
    ...Object.entries(value).flatMap(([name, inner]) => {
      const place = { value: inner, pointer: `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`, root };
      const own = [
        ...(Object.hasOwn(properties, name) ? [properties[name]!] : []),
        ...patterns.flatMap(([pattern, one]) => (new RegExp(pattern, "u").test(name) ? [one] : [])),
      ];
      return (own.length > 0 ? own : [additionalProperties]).flatMap((one) => problemsOf(one, place));
    }),
  ];
}

/** What a reference leads to: a place in the whole schema, by pointer or by `$anchor`. */
function targetOf(reference: string, root: Keywords): Schema {
  const name = decodeURIComponent(reference.slice(1));
  if (name !== "" && !name.startsWith("/")) return anchored(name, root) ?? true;
  const tokens = name
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
  return tokens.reduce<unknown>((at, token) => (at as Record<string, unknown>)?.[token], root) as Schema;
}

function anchored(name: string, at: unknown): Schema | undefined {
  if (typeof at !== "object" || at === null) return undefined;
  const { $anchor, $id } = at as { $anchor?: unknown; $id?: unknown };
  if ($anchor === name || $id === `#${name}`) return at as Keywords;
  for (const inner of Object.values(at)) {
    const found = anchored(name, inner);
    if (found) return found;
  }
  return undefined;
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
