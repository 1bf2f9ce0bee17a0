// Lists the fields that the expectation of a case asserts, by the names under which spec/spoken-fields.json says who speaks of them.

import type { Case } from "../../schemas/types.ts";
import { matcherOf } from "../kit/base/matcher.ts";

type Fields = Record<string, unknown>;
type Expect = Case["expect"];

/** Values of callers, tools and models: what is inside of them is data, and no field of the spec. */
const data = new Set([
  "arguments",
  "call",
  "context",
  "cost_by_model",
  "data",
  "input",
  "input_schema",
  "item",
  "limits",
  "messages",
  "metrics",
  "opaque",
  "output",
  "progress",
  "raw_input",
  "schema",
  "usage_by_model",
]);

/** Where the messages, events and results are that an expectation nests. */
const nested: Record<string, (value: unknown) => string[]> = {
  "event.run_end.result": (value) => entriesOf(value).flatMap((one) => fieldsOf("result", one)),
  "event.message.message": (value) => entriesOf(value).flatMap(fieldsOfMessage),
  "event.message_start.message": (value) => entriesOf(value).flatMap(fieldsOfMessage),
  "event.compaction.messages": (value) => entriesOf(value).flatMap(fieldsOfMessage),
  "event.amendment.messages": (value) => entriesOf(value).flatMap(fieldsOfMessage),
  "event.subagent_event.event": (value) => entriesOf(value).flatMap(fieldsOfEvent),
  "request.messages": (value) => entriesOf(value).flatMap(fieldsOfMessage),
};

const readers: Record<string, (value: unknown) => string[]> = {
  status: () => ["result.status"],
  result: (value) => entriesOf(value).flatMap((one) => fieldsOf("result", one)),
  second_result: (value) => entriesOf(value).flatMap((one) => fieldsOf("result", one)),
  session: (value) => entriesOf(value).flatMap(fieldsOfMessage),
  events: (value) => entriesOf(value).flatMap(fieldsOfEvent),
  requests: (value) => entriesOf(value).flatMap((one) => fieldsOf("request", one)),
  tools: (value) =>
    entriesOf(value).flatMap((one) => (isFields(one) ? fieldsOf("execution", one) : ["execution.name"])),
  hooks: (value) => entriesOf(value).flatMap((one) => fieldsOf("hook", one)),
  guardrails: (value) => entriesOf(value).flatMap((one) => fieldsOf("guardrail", one)),
  instructions: (value) => entriesOf(value).flatMap((one) => fieldsOf("instructions", one)),
  mcp: (value) => entriesOf(value).flatMap((one) => fieldsOf("mcp", one)),
};

/**
 * The names of all fields that an expectation asserts, each once. Those of `wire` are in {@link assertedKeys}. The behaviours of
 * `one_of` are observed, and demanded of nobody: spec/policies.json has them.
 */
export function assertedFields({ one_of: _behaviours, wire: _wire, ...expect }: Expect): string[] {
  return [...new Set(Object.entries(expect).flatMap(([key, value]) => readers[key]?.(value) ?? [key]))];
}

/** The keys that an expectation asserts in a value of a provider's own format. */
export function assertedKeys(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(assertedKeys);
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === "$absent") return [];
    if (key.startsWith("$")) return assertedKeys(inner);
    const isThere = !(isFields(inner) && "$absent" in inner);
    return [...(isThere ? [key] : []), ...(data.has(key) || key === "parameters" ? [] : assertedKeys(inner))];
  });
}

/** The fields of a message, by what the message is: `message.tool_result.output`. */
function fieldsOfMessage(message: unknown): string[] {
  if (!isFields(message)) return [];
  const { type, role, ...fields } = message;
  const name = [type, role].find((one) => typeof one === "string") ?? "any";
  const kind = name === "user" && fields["synthetic"] === true ? "follow_up" : String(name);
  return fieldsOf(`message.${kind}`, fields);
}

function fieldsOfEvent(event: unknown): string[] {
  if (!isFields(event)) return [];
  const { type = "any", seq: _, ...fields } = event;
  return fieldsOf(`event.${String(type)}`, fields);
}

/** A value as it is, what a matcher says of one, and the entries of a list. */
function entriesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(entriesOf);
  const matcher = isFields(value) ? matcherOf(value) : undefined;
  if (!matcher) return [value];
  const { name, operand } = matcher;
  if (name === "$policy") return Object.values((operand as { cases: Fields }).cases).flatMap(entriesOf);
  return ["$contains", "$unordered", "$exact", "$not"].includes(name) ? entriesOf(operand) : [];
}

function fieldsOf(name: string, value: unknown): string[] {
  // A value of which only the type is asserted says no more than its schema.
  if (isFields(value) && "$type" in value) return [];
  const read = nested[name];
  if (read) return [name, ...read(value)];
  const isData = data.has(name.slice(name.lastIndexOf(".") + 1));
  const inner = isData ? [] : entriesOf(value).filter(isFields);
  // A name with a dot is somebody's own, and what is behind it data.
  const fields = inner.flatMap((one) =>
    Object.entries(one).flatMap(([key, field]) => (key.includes(".") ? [] : fieldsOf(`${name}.${key}`, field))),
  );
  return fields.length > 0 ? fields : [name];
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
