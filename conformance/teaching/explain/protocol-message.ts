// Explains a message of the driver protocol: who sends it, what stands in it, and what is answered.

import { driverNotifications, driverRequests, kitNotifications, kitRequests } from "../../kit/base/protocol.ts";
import { fieldLines } from "./field-lines.ts";
import type { Kind, Sources } from "./kind.ts";
import { listed, listedRequirements } from "./lists.ts";
import { titledSchemas } from "./schemas.ts";

interface Types {
  params: string;
  otherwise?: Readonly<Record<string, string>>;
  result?: string;
  errorData?: string;
}

const senders: [sender: string, messages: Record<string, Types | string>][] = [
  ["a request of the kit", kitRequests],
  ["a notification of the kit", kitNotifications],
  ["a request of the driver", driverRequests],
  ["a notification of the driver", driverNotifications],
];

export const protocolMessageKind: Kind = {
  called: "a message of the driver protocol",
  names: () => senders.flatMap(([, messages]) => Object.keys(messages)),
  *explain(name, sources) {
    const [sender, messages] = senders.find(([, some]) => name in some)!;
    const types = messages[name]!;
    const { params, otherwise = {}, result, errorData }: Types = typeof types === "string" ? { params: types } : types;
    yield `${name}, ${sender}  ${descriptionOf(params)}`;
    yield* fieldsOf("Parameters", params);
    for (const [field, type] of Object.entries(otherwise)) yield* fieldsOf(`Parameters with ${field}`, type);
    if (result !== undefined) yield* fieldsOf("Result", result);
    if (errorData !== undefined) yield* fieldsOf("Data of an error", errorData);
    yield* requirementsOf(name, sources);
  },
};

/** The sentence of the schema without what the reader knows by now. */
function descriptionOf(params: string): string {
  return schemaOf(params)?.description?.replace(/^.*?\(.*?\): /, "") ?? "";
}

function* fieldsOf(part: string, type: string): Generator<string> {
  const schema = schemaOf(type);
  const lines = schema ? fieldLines(schema) : [];
  if (lines.length > 0) yield* listed(`${part}, ${type}`, lines);
  else yield `  ${part}: ${schema?.$ref?.replace(/^.*\//, "") ?? "an empty object"}`;
}

function schemaOf(type: string) {
  return titledSchemas().find(({ title }) => title === type);
}

function* requirementsOf(name: string, sources: Sources): Generator<string> {
  const all = [...sources.suite.catalogue.requirements.values()];
  const named = all.filter(({ text }) => text.includes(`\`${name}\``));
  yield* listedRequirements("Requirements", named, sources);
}
