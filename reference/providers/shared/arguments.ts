// Reads and writes what both wire formats treat alike: the JSON of arguments, Unicode, and names that a provider refuses.

import type { ToolCallMessage } from "../../../schemas/types.ts";
import { isWellFormed } from "../../support/well-formed.ts";

/** The fields of a call that come from its arguments. */
export type Arguments = Pick<ToolCallMessage, "input" | "raw_input">;

interface RawJson {
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): boolean;
}

/** The JSON of ECMAScript 2026, whose numbers can keep their digits; older engines round. */
const json = JSON as typeof JSON & Partial<RawJson>;

/**
 * Reads the arguments of a call. Nothing but white space means `{}`; anything but a JSON object gives `input: null` with the
 * text in `raw_input`. Where a double does not hold a number as it is written, `input` has it rounded and `raw_input` has the
 * text; where no double is near to it, or two names become one, the arguments are unreadable.
 * @see TOOL-2 TOOL-38 TOOL-45 TOOL-46 TOOL-47
 */
export function parseArguments(text: string): Arguments {
  if (text.trim() === "") return { input: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { input: null, raw_input: text };
  }
  if (!isRecord(value) || leavesDoubles(text) || mergesNames(value)) return { input: null, raw_input: text };
  return losesDigits(text) ? { input: value, raw_input: text } : { input: value };
}

/** Whether a JSON text may have a number with more digits than a double keeps, or with an exponent. */
const LONG_NUMBER = /\d[\d.]{15}|\d[eE]/;

/** True if the JSON text has a number that parsing would change. @see TOOL-38 TOOL-45 */
export function losesDigits(text: string): boolean {
  return (
    LONG_NUMBER.test(text) && numbersIn(text).some((written) => valueOf(written) !== valueOf(String(Number(written))))
  );
}

/** True if the JSON text has a number that no double is near to. @see TOOL-46 */
function leavesDoubles(text: string): boolean {
  return LONG_NUMBER.test(text) && numbersIn(text).some((written) => !Number.isFinite(Number(written)));
}

/** Whether two names of an object are one when half of a surrogate pair is U+FFFD in both. @see TOOL-47 */
function mergesNames(value: unknown): boolean {
  if (isWellFormed(value)) return false;
  if (Array.isArray(value)) return value.some(mergesNames);
  if (!isRecord(value)) return false;
  const names = Object.keys(value);
  const kept = new Set(names.map((name) => name.toWellFormed()));
  return kept.size < names.length || Object.values(value).some(mergesNames);
}

function numbersIn(text: string): string[] {
  return text.replace(/"(?:[^"\\]|\\.)*"/g, '""').match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g) ?? [];
}

/** The value of a number as it is written: its digits without zeros around them, and where the last one stands. */
function valueOf(written: string): string {
  const [, whole = "", fraction = "", exponent = "0"] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(written) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

/** Parses JSON so that `JSON.stringify` writes every number with the digits that it had. */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    const source = context?.source;
    const rounded = typeof value === "number" && source !== undefined && losesDigits(source);
    return rounded && json.rawJSON ? json.rawJSON(source) : value;
  });
}

/** The exact text of a call's arguments, if it was kept and the input is still what it says. */
export function exactText(call: ToolCallMessage): string | undefined {
  if (call.input === null || call.raw_input === undefined) return undefined;
  try {
    return JSON.stringify(JSON.parse(call.raw_input)) === JSON.stringify(call.input) ? call.raw_input : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A name that a provider accepts: the name itself if it matches, else its legal characters and a hash of the whole, at most
 * `length` characters. The same name always gives the same result, whatever stands around it.
 * @see PROVIDER-9 ANTHROPIC-12 CHAT-7
 */
export function legalName(name: string, legal: RegExp, length: number): string {
  if (name.length <= length && legal.test(name)) return name;
  const digest = hash(name);
  return `${name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, length - digest.length - 1)}_${digest}`;
}

/** FNV-1a over the UTF-16 code units, 64 bits, in base 36. */
function hash(text: string): string {
  let value = 0xcbf29ce484222325n;
  for (let at = 0; at < text.length; at++) {
    value = BigInt.asUintN(64, (value ^ BigInt(text.charCodeAt(at))) * 0x100000001b3n);
  }
  return value.toString(36);
}

/** True for a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
