// Says why arguments cannot be held against a schema, before any are: nothing of a schema is left unobeyed in silence.

import { unsafePattern } from "./safe-pattern.ts";
import { clone } from "../support/clone.ts";

/** The dialects, by the `$schema` that names them. */
const DIALECTS: Record<string, "2020-12" | "7"> = {
  "https://json-schema.org/draft/2020-12/schema": "2020-12",
  "http://json-schema.org/draft-07/schema": "7",
  "https://json-schema.org/draft-07/schema": "7",
};

/** Keywords that assert something, and that the validator does not obey. */
const UNKNOWN = ["$dynamicRef", "$recursiveRef", "dependencies"];
const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"];
/** Keywords whose schema is about the same value. */
const IN_PLACE = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];
const ONE = [
  "items",
  "additionalItems",
  "additionalProperties",
  "contains",
  "else",
  "if",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
];
const LIST = ["allOf", "anyOf", "items", "oneOf", "prefixItems"];
const MAP = ["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"];
const DEEPEST = 128;

type Schema = Record<string, unknown>;

/** What is wrong with a schema: where, as a JSON Pointer that ends with the keyword, and in words. */
export interface SchemaProblem {
  pointer: string;
  message: string;
}

interface Place {
  schema: Schema;
  pointer: string;
  depth: number;
}

/** The dialect of a schema; undefined for one that is not known. @see TOOL-42 */
export function dialectOf({ $schema }: Schema): "2020-12" | "7" | undefined {
  if ($schema === undefined) return "2020-12";
  return typeof $schema === "string" ? DIALECTS[$schema.replace(/#$/, "")] : undefined;
}

/** The first reason for which arguments cannot be held against a schema; undefined if they can. @see TOOL-43 */
export function checkSchema(root: Schema): SchemaProblem | undefined {
  if (dialectOf(root) === undefined) {
    const message = `${JSON.stringify(root.$schema)} is not known; expected JSON Schema 2020-12 or draft-07`;
    return { pointer: "/$schema", message };
  }
  const places: Place[] = [{ schema: root, pointer: "", depth: 0 }];
  const seen = new Set<Schema>();
  const anchors = anchorsOf(root);
  for (let place = places.pop(); place; place = places.pop()) {
    if (seen.has(place.schema)) continue;
    seen.add(place.schema);
    const problem = problemAt(place, root, anchors);
    if (problem) return problem;
    const target = targetOf(place.schema, root, anchors);
    // Seen last: a schema that stands somewhere is named by its own place.
    if (isSchema(target)) places.unshift({ schema: target, pointer: place.pointer, depth: 0 });
    places.push(...subschemas(place));
  }
  return circle(seen, root, anchors);
}

/** A schema without these keywords, wherever they stand in it. */
export function withoutKeywords(root: Schema, ...keywords: string[]): Schema {
  const copy = clone(root);
  const places: Place[] = [{ schema: copy, pointer: "", depth: 0 }];
  for (let place = places.pop(); place; place = places.pop()) {
    for (const keyword of keywords) delete place.schema[keyword];
    places.push(...subschemas(place));
  }
  return copy;
}

function problemAt({ schema, pointer, depth }: Place, root: Schema, anchors: Map<string, Schema>) {
  const problem = (keyword: string, message: string): SchemaProblem => ({ pointer: `${pointer}/${keyword}`, message });
  const json = (value: unknown) => JSON.stringify(value);
  const unknown = UNKNOWN.find((keyword) => keyword in schema);
  if (unknown !== undefined) return problem(unknown, "is a keyword that is not obeyed here");
  if (depth > DEEPEST) return problem("", `is inside of more than ${DEEPEST} schemas`);
  if ("$id" in schema && schema !== root)
    return problem("$id", "gives references another base, which is not obeyed here");
  const types = [schema.type ?? []].flat();
  const type = types.find((name) => !TYPES.includes(name as string));
  if (type !== undefined) return problem("type", `${json(type)} is no type`);
  for (const pattern of [
    schema.pattern,
    ...Object.keys(isSchema(schema.patternProperties) ? schema.patternProperties : {}),
  ]) {
    const unsafe = pattern === undefined ? undefined : unsafePattern(String(pattern));
    if (unsafe)
      return problem(pattern === schema.pattern ? "pattern" : "patternProperties", `${json(pattern)} ${unsafe}`);
  }
  if (!("$ref" in schema) || targetOf(schema, root, anchors) !== undefined) return undefined;
  return problem("$ref", `${json(schema.$ref)} refers to nothing in this schema; nothing is fetched`);
}

/** A reference that leads back to itself without a step into the value would be followed for ever. */
function circle(schemas: Set<Schema>, root: Schema, anchors: Map<string, Schema>): SchemaProblem | undefined {
  const done = new Set<Schema>();
  const open = new Set<Schema>();
  const leadsBack = (schema: Schema): boolean => {
    if (done.has(schema)) return false;
    if (open.has(schema)) return true;
    open.add(schema);
    const target = targetOf(schema, root, anchors);
    const inPlace = IN_PLACE.flatMap((keyword) => schemasIn(schema[keyword], keyword)).map(([, inner]) => inner);
    const found = [...inPlace, ...(isSchema(target) ? [target] : [])].some(leadsBack);
    open.delete(schema);
    done.add(schema);
    return found;
  };
  for (const schema of schemas) {
    if (leadsBack(schema))
      return { pointer: "/$ref", message: `${JSON.stringify(schema.$ref ?? "#")} leads back to itself` };
  }
  return undefined;
}

/** What `$ref` names, if it names a schema of the same document. */
function targetOf({ $ref }: Schema, root: Schema, anchors: Map<string, Schema>): Schema | boolean | undefined {
  if (typeof $ref !== "string") return undefined;
  const own = typeof root.$id === "string" ? root.$id.replace(/#$/, "") : "";
  const fragment = own !== "" && $ref.startsWith(own) ? $ref.slice(own.length) || "#" : $ref;
  if (!fragment.startsWith("#")) return undefined;
  const name = decoded(fragment.slice(1));
  if (name === "") return root;
  if (!name.startsWith("/")) return anchors.get(name);
  let found: unknown = root;
  for (const key of name.slice(1).split("/")) {
    const plain = key.replaceAll("~1", "/").replaceAll("~0", "~");
    found =
      typeof found === "object" && found !== null && Object.hasOwn(found, plain) ? (found as Schema)[plain] : undefined;
  }
  return isSchema(found) || typeof found === "boolean" ? found : undefined;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function anchorsOf(root: Schema): Map<string, Schema> {
  const anchors = new Map<string, Schema>();
  const places: Place[] = [{ schema: root, pointer: "", depth: 0 }];
  for (let place = places.pop(); place; place = places.pop()) {
    if (typeof place.schema.$anchor === "string") anchors.set(place.schema.$anchor, place.schema);
    places.push(...subschemas(place));
  }
  return anchors;
}

function subschemas({ schema, pointer, depth }: Place): Place[] {
  return [...ONE, ...LIST, ...MAP].flatMap((keyword) =>
    schemasIn(schema[keyword], keyword).map(([at, inner]) => ({
      schema: inner,
      pointer: `${pointer}/${at}`,
      depth: depth + 1,
    })),
  );
}

function schemasIn(value: unknown, keyword: string): [at: string, schema: Schema][] {
  if (Array.isArray(value)) {
    return LIST.includes(keyword)
      ? value.flatMap((inner, at) => (isSchema(inner) ? [[`${keyword}/${at}`, inner]] : []))
      : [];
  }
  if (!isSchema(value)) return [];
  if (!MAP.includes(keyword)) return ONE.includes(keyword) ? [[keyword, value]] : [];
  const escaped = (key: string) => key.replaceAll("~", "~0").replaceAll("/", "~1");
  return Object.entries(value).flatMap(([key, inner]) =>
    isSchema(inner) ? [[`${keyword}/${escaped(key)}`, inner]] : [],
  );
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
