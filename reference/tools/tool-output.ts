// Converts the return value of a tool into an output that a session can store.

import { ToolError } from "../core/execute-tool-calls.ts";
import type { ToolOutput, ToolReturn } from "../core/ports.ts";
import type { Part } from "../../schemas/types.ts";

const ENVELOPE: ReadonlySet<string> = new Set<keyof ToolReturn>([
  "output",
  "data",
  "is_error",
  "final",
  "context_updates",
  "handoff",
]);

/**
 * Undefined and null become an empty output; text, parts and envelopes are returned unchanged; any other value becomes its JSON
 * text, and the `data`.
 * @throws ToolError if JSON cannot represent it: a cycle, a Map, bytes, NaN, a function
 */
export function toolOutput(returned: unknown): ToolOutput {
  if (typeof returned === "string") return returned;
  if (returned === undefined || returned === null) return "";
  if (isParts(returned) || isEnvelope(returned)) {
    refuseLosses(returned, "", []);
    return returned;
  }
  refuseLosses(returned, "", []);
  const output = JSON.stringify(returned) ?? "";
  const data: unknown = output === "" ? null : JSON.parse(output);
  return { output: typeof data === "string" ? data : output, data };
}

function isParts(value: unknown): value is Part[] {
  return Array.isArray(value) && value.length > 0 && value.every((part) => typeof part?.type === "string");
}

function isEnvelope(value: unknown): value is ToolReturn {
  if (typeof value !== "object" || Array.isArray(value)) return false;
  const { output, data } = value as ToolReturn;
  const isText = typeof output === "string" || (Array.isArray(output) && (output.length === 0 || isParts(output)));
  const hasOutput = output === undefined ? data !== undefined : isText;
  return hasOutput && Object.keys(value as object).every((key) => ENVELOPE.has(key));
}

/** @param inside the objects around the value, outermost first */
function refuseLosses(value: unknown, pointer: string, inside: object[]): void {
  const lost = lossOf(value, inside);
  if (lost !== undefined) throw new ToolError(unreadableText(pointer, lost));
  if (typeof value !== "object" || value === null) return;
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function") return refuseLosses(toJSON.call(value, ""), pointer, [...inside, value]);
  inside.push(value);
  for (const [key, member] of Object.entries(value)) refuseLosses(member, `${pointer}/${key}`, inside);
  inside.pop();
}

function lossOf(value: unknown, inside: object[]): string | undefined {
  if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint") return `a ${typeof value}`;
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (typeof value !== "object" || value === null) return undefined;
  if (inside.includes(value)) return "an object that contains itself";
  if (inside.length >= DEEPEST) return `more than ${DEEPEST} objects inside each other`;
  const isOpaque = value instanceof Map || value instanceof Set || value instanceof ArrayBuffer;
  return isOpaque || ArrayBuffer.isView(value) ? `a ${value.constructor.name}` : undefined;
}

const DEEPEST = 128;

function unreadableText(pointer: string, lost: string): string {
  const where = pointer === "" ? "" : ` at ${pointer}`;
  return `The tool was executed, but its return value cannot be used: ${lost}${where} cannot be written as JSON. Do not repeat the call for its effects.`;
}
