// What a file can be, and how that is seen: by its name, the beginning of its text, or the keys that only it has.

import { basename } from "node:path";
import type { SchemaType } from "../kit/base/validate.ts";
import { UsageError } from "../kit/base/usage-error.ts";

/** What a value can be: a value of a schema, or a list of messages. Lists of events are read line by line. */
export type ValueType = SchemaType | "Message[]";

/** What a value is called, on the command line too. */
export const valueTypes: Readonly<Record<string, ValueType>> = {
  session: "Session",
  snapshot: "Snapshot",
  fixture: "Fixture",
  case: "Case",
  result: "RunResult",
  tool: "Tool",
  agent: "Agent",
  message: "Message",
  messages: "Message[]",
  event: "Event",
  manifest: "Manifest",
};
/** Everything that a file can be said to be. */
export const fileTypes: readonly string[] = [...Object.keys(valueTypes), "events", "known-failures", "report"];

/** What a text is that is not one value of JSON, apart from events. */
export function typeOfText(file: string, text: string): "report" | "known-failures" | "case" | undefined {
  if (text.startsWith('{"header":')) return "report";
  if (/^\{?\s*"?known_failures"?:/m.test(text)) return "known-failures";
  return /\.ya?ml$/.test(file) ? "case" : undefined;
}

/** What a value is, by the name of its file or the keys that only it has. */
export function typeOfValue(file: string, { value, isLines }: Parsed): ValueType | undefined {
  if (basename(file) === "agent-loop.json") return "Manifest";
  if (Array.isArray(value)) {
    const [first] = value as unknown[];
    return isLines || !isObject(first) || !("role" in first || "type" in first) ? undefined : "Message[]";
  }
  if (!isObject(value)) return undefined;
  if ("phase" in value && "response_start" in value) return "Snapshot";
  if ("fixture" in value && "exchanges" in value) return "Fixture";
  if ("given" in value && "expect" in value) return "Case";
  if ("status" in value && "turns" in value) return "RunResult";
  if ("input_schema" in value) return "Tool";
  if ("seq" in value && "type" in value) return "Event";
  if ("messages" in value || "spec_version" in value) return "Session";
  return "role" in value || "type" in value ? "Message" : undefined;
}

/** How a value of this type is called in a sentence. */
export function nameOf(type: ValueType): string {
  if (type === "Message[]") return "list of messages";
  return Object.entries(valueTypes).find(([, name]) => name === type)![0];
}

/** The value of a file, and whether it is the list of its lines. */
export interface Parsed {
  value: unknown;
  isLines: boolean;
}

/** @throws UsageError that names the file, if its text is no JSON */
export function parseFile(file: string, text: string): Parsed {
  try {
    return { value: JSON.parse(text), isLines: false };
  } catch (error) {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    const values = lines.map((line) => parsedLine(line));
    if (lines.length > 1 && values.every((value) => value !== undefined)) return { value: values, isLines: true };
    throw new UsageError(`${file}: this is neither JSON nor one JSON value per line: ${(error as Error).message}`);
  }
}

function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
