// Says the messages of the driver protocol as tables for people, from the descriptions in their schemas.

import { driverNotifications, driverRequests, kitNotifications, kitRequests } from "../kit/base/protocol.ts";
import { namedSchemas, readSchemaFiles, type NamedSchema, type Schema } from "./schema-files.ts";

interface ProtocolMessage {
  method: string;
  direction: string;
  kind: "request" | "notification";
  params: string;
  otherwise?: Readonly<Record<string, string>>;
  result?: string;
  errorData?: string;
}

const messages: ProtocolMessage[] = [
  ...requests(kitRequests, "kit → driver"),
  ...notifications(kitNotifications, "kit → driver"),
  ...requests(driverRequests, "driver → kit"),
  ...notifications(driverNotifications, "driver → kit"),
];

const types = new Map(namedSchemas(readSchemaFiles()).map((named) => [named.name, named]));

/** One row for each message: who sends it, what it says, and the feature that it needs. */
export function messageTable(): string {
  const rows = messages.map(({ method, direction, kind, params }) => {
    const { text, feature } = meaning(method, params);
    return [`[\`${method}\`](#${anchor(method)})`, direction, kind, text, feature];
  });
  return table(["method", "direction", "kind", "says", "feature"], rows);
}

/** A section for each message, with its fields. */
export function messageFields(): string {
  return messages.map((message) => section(message).join("\n\n")).join("\n\n");
}

/** The fields of a type. */
export function fieldTable(type: string): string {
  const { schema, file } = typeNamed(type);
  const rows = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    return [
      code(name),
      typeOf(property, file),
      schema.required?.includes(name) ? "" : absence(property),
      cell(property.description ?? ""),
    ];
  });
  return table(["field", "type", "", "meaning"], rows);
}

/** What it means that a field is absent. */
function absence(property: Schema): string {
  return "default" in property ? `default ${code(JSON.stringify(property["default"]))}` : "optional";
}

function* sectionParts({
  params,
  otherwise = {},
  result,
  errorData,
}: ProtocolMessage): Generator<[label: string, type: string]> {
  yield ["Parameters", params];
  for (const [field, type] of Object.entries(otherwise)) yield [`Parameters with ${code(field)}`, type];
  if (result !== undefined) yield ["Result", result];
  if (errorData !== undefined) yield ["Data of an error", errorData];
}

function section(message: ProtocolMessage): string[] {
  const parts = [...sectionParts(message)].map(([label, type]) => {
    const { schema, file } = typeNamed(type);
    if (schema.$ref !== undefined) return `${label}: ${typeOf(schema, file)}.`;
    if (Object.keys(schema.properties ?? {}).length === 0) return `${label}: an empty object.`;
    const first = messages.find((other) => [...sectionParts(other)].some(([, shown]) => shown === type))!;
    if (first !== message) return `${label}: \`${type}\`, as of [\`${first.method}\`](#${anchor(first.method)}).`;
    return `${label}, \`${type}\`:\n\n${fieldTable(type)}`;
  });
  return [`### \`${message.method}\``, ...parts];
}

/** @throws Error if the description of the parameters does not say what the message is */
function meaning(method: string, params: string): { text: string; feature: string } {
  const description = typeNamed(params).schema.description ?? "";
  const start = `Parameters of ${method} (`;
  const at = description.indexOf(start);
  const sentence = /^(?:kit to driver|driver to kit)\): (.*?)\.(?: Needs the feature (.*)\.)?$/s.exec(
    description.slice(at + start.length),
  );
  if (at < 0 || !sentence)
    throw new Error(
      `driver.schema.json: the description of ${params} does not say what ${method} is; expected "${start}kit to driver): <what it says>. Needs the feature <name>."`,
    );
  return {
    text: cell(sentence[1]!),
    feature: (sentence[2] ?? "").replaceAll(/[\w.]+/g, (word) => (word === "or" ? word : code(word))),
  };
}

/** A type in words, with links to what has a schema of its own. */
function typeOf(schema: Schema, file: string): string {
  if (schema.$ref !== undefined) return linked(schema.$ref, file);
  if ("const" in schema) return code(JSON.stringify(schema["const"]));
  const values = schema["enum"] as unknown[] | undefined;
  if (values) return values.map((value) => code(JSON.stringify(value))).join(", ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices && schema.type === undefined) return choices.map((choice) => typeOf(choice, file)).join(" or ");
  if (schema.type === undefined) return "any JSON value";
  if (Array.isArray(schema.type)) return schema.type.join(" or ");
  if (schema.type === "array") return `list of ${schema.items ? typeOf(schema.items, file) : "anything"}`;
  const { additionalProperties: others } = schema;
  return schema.type === "object" && typeof others === "object" ? `object of ${typeOf(others, file)}` : schema.type;
}

function linked(ref: string, file: string): string {
  const [target = "", path] = ref.split("#");
  const inFile = target === "" ? file : target;
  const named = [...types.values()].find((type) => type.ref === (path === undefined ? inFile : `${inFile}#${path}`));
  return `[${named?.name ?? inFile}](../../schemas/${inFile})`;
}

function typeNamed(name: string): NamedSchema {
  const named = types.get(name);
  if (!named) throw new Error(`no schema is called ${name}`);
  return named;
}

type Requests = Record<
  string,
  { params: string; otherwise?: Readonly<Record<string, string>>; result: string; errorData?: string }
>;

function requests(methods: Requests, direction: string): ProtocolMessage[] {
  return Object.entries(methods).map(([method, schemas]) => ({ method, direction, kind: "request", ...schemas }));
}

function notifications(methods: Record<string, string>, direction: string): ProtocolMessage[] {
  return Object.entries(methods).map(([method, params]) => ({ method, direction, kind: "notification", params }));
}

function table(heads: string[], rows: string[][]): string {
  const lines = [heads, ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  lines.splice(1, 0, `|${"---|".repeat(heads.length)}`);
  return lines.join("\n");
}

function anchor(method: string): string {
  return method.replaceAll(/[^\w-]/g, "").toLowerCase();
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

function code(text: string): string {
  return "`" + text + "`";
}
