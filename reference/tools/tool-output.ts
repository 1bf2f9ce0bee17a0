// Converts the return value of a tool into an output that a session can store.

import { ToolError } from "../core/execute-tool-calls.ts";
import { thrownText } from "../support/thrown-text.ts";
import { wellFormed } from "../support/well-formed.ts";
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

const MADE = Symbol("made by toolResult");

/**
 * What a tool returns beside its output: `data` for programs, a handoff, and more. An object with an `output` of text or parts
 * and no other fields needs no `toolResult`; one without `output` does, or it is a value like any other.
 * @see TOOL-30 TOOL-40
 */
export function toolResult(envelope: ToolReturn): ToolReturn {
  return Object.defineProperty({ ...envelope }, MADE, { value: true });
}

/**
 * Undefined and null become an empty output; text, parts and envelopes stay what they are; any other value becomes its JSON
 * text, and the `data`.
 * @throws ToolError if JSON cannot represent it: a cycle, a Map, bytes, NaN, a function
 * @see TOOL-39 TOOL-40 TOOL-41 TOOL-48
 */
export function toolOutput(returned: unknown): ToolOutput {
  try {
    return outputOf(returned);
  } catch (thrown) {
    if (thrown instanceof ToolError) throw thrown;
    throw new ToolError(`${UNUSABLE}: it could not be read (${thrownText(thrown)}). ${NO_REPETITION}`);
  }
}

function outputOf(returned: unknown): ToolOutput {
  if (typeof returned === "string") return returned.toWellFormed();
  if (returned === undefined || returned === null) return "";
  refuseLosses(returned, "", []);
  if (isParts(returned)) return wellFormed(returned);
  if (isEnvelope(returned)) return withPlainData(returned);
  const data = plain(returned);
  if (data === undefined) return { output: "", data: null };
  return { output: typeof data === "string" ? data : JSON.stringify(data), data };
}

/** `data` as JSON: a copy, which the tool cannot change any more. */
function withPlainData({ output, data, ...requests }: ToolReturn): ToolReturn {
  if (data === undefined) return { output: wellFormed(output ?? ""), ...requests };
  return { ...(output !== undefined && { output: wellFormed(output) }), data: plain(data), ...requests };
}

/** What JSON writes of a value; undefined where it writes nothing. */
function plain(value: unknown): unknown {
  const written = JSON.stringify(value) as string | undefined;
  return written === undefined ? undefined : wellFormed(JSON.parse(written));
}

function isParts(value: unknown): value is Part[] {
  return Array.isArray(value) && value.length > 0 && value.every(isPart);
}

/** As `part.schema.json` has it: a part of a type that nobody knows may have anything. */
function isPart(value: unknown): boolean {
  const { type, text, data, url, media_type } = (value ?? {}) as Record<string, unknown>;
  if (type === "text") return typeof text === "string";
  if (type !== "image" && type !== "document") return typeof type === "string";
  const isText = (field: unknown) => typeof field === "string";
  const known = [data, url, media_type].filter((field) => field !== undefined);
  return known.every(isText) && (isText(data) && isText(media_type)) !== isText(url);
}

function isEnvelope(value: unknown): value is ToolReturn {
  if (typeof value !== "object" || Array.isArray(value)) return false;
  const { output } = value as ToolReturn;
  const isText = typeof output === "string" || (Array.isArray(output) && (output.length === 0 || isParts(output)));
  if (MADE in (value as object)) return isText || output === undefined || refuseOutput(output);
  return isText && Object.keys(value as object).every((key) => ENVELOPE.has(key));
}

function refuseOutput(output: unknown): never {
  throw new ToolError(`${UNUSABLE}: its output is ${typeof output}, not text or parts. ${NO_REPETITION}`);
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
  const isOpaque = OPAQUE.some((type) => value instanceof type);
  return isOpaque || ArrayBuffer.isView(value) ? `a ${value.constructor.name}` : undefined;
}

const DEEPEST = 128;

/** What JSON writes as an empty object, whatever is in it. */
const OPAQUE = [Map, Set, WeakMap, WeakSet, ArrayBuffer, Promise, RegExp, Error] as const;

function unreadableText(pointer: string, lost: string): string {
  const where = pointer === "" ? "" : ` at ${pointer}`;
  return `${UNUSABLE}: ${lost}${where} cannot be written as JSON. ${NO_REPETITION}`;
}

const UNUSABLE = "The tool was executed, but its return value cannot be used";
const NO_REPETITION = "Do not repeat the call for its effects.";
