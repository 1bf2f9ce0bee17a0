// Compares an expected with a received value: objects by subset, lists whole, null as a value, and the `$` matchers.

import { pointerTo } from "./json-pointer.ts";

/** One place where the received value differs from the expected one. */
export interface Mismatch {
  /** Where in the expectation, as a JSON Pointer. */
  path: string;
  expected: unknown;
  received: unknown;
  /** What is wrong, in one line. */
  message: string;
}

/** What the names in an expectation stand for. */
export interface MatchContext {
  /** Values of `$name`. Names without a value are bound by the first value they meet. */
  bindings: Map<string, string>;
  /** The policies that the driver declared, for `$policy`. */
  policies: Record<string, string>;
}

/** The closed list of matchers, with what their operand must be. */
export const matchers: Record<string, string> = {
  $any: "true",
  $type: "a JSON type, or a list of them: string, number, integer, boolean, null, array, object",
  $match: "a regular expression",
  $contains: "a string, a value, or a list of values in their order",
  $exact: "a value",
  $unordered: "a list",
  $absent: "true",
  $not: "an expectation",
  $policy: "{name, cases: {value: expectation}}",
};

/** The keys whose string values may be bindings such as `$a`. */
export const idKeys = new Set(["id", "call_id", "tool_call_id", "tool_use_id", "prompt_cache_key"]);

/** Stands for a missing value: JSON has no undefined, and null is a value. */
const missing = Symbol("missing");

type Expected = unknown;

interface Place {
  /** The place that this one is in; for the outermost its pointer. */
  within: Place | string;
  /** What leads from there to here. Pointers are written only for what is wrong, as most of it is right. */
  key?: string | number;
  /** True where a string that starts with `$` is a binding. */
  isId: boolean;
  /** True below `$exact`: objects must have the same keys. */
  exact: boolean;
  /** True where the expectation is data through and through: no matchers, no bindings, no escapes. */
  literal: boolean;
}

/**
 * Compares an expectation with a value.
 * @param expected the expectation, matchers and bindings allowed
 * @param received the value; `undefined` means that there is none
 * @param context gains the bindings that were made
 * @returns every mismatch; empty if the value is as expected
 */
export function match(expected: Expected, received: unknown, context: MatchContext, path = ""): Mismatch[] {
  return compare(expected, received === undefined ? missing : received, context, {
    within: path,
    isId: false,
    exact: false,
    literal: false,
  });
}

/**
 * Compares data with data: objects by subset unless `exact`, lists whole, and a `$` is a `$`.
 * @returns every mismatch; empty if the value is as expected
 */
export function matchData(expected: unknown, received: unknown, path = "", exact = false): Mismatch[] {
  const context = { bindings: new Map<string, string>(), policies: {} };
  return compare(expected, received === undefined ? missing : received, context, {
    within: path,
    isId: false,
    exact,
    literal: true,
  });
}

/** The operand of a matcher object such as `{$match: "x"}`, or undefined for everything that is data. */
export function matcherOf(value: unknown): { name: string; operand: unknown } | undefined {
  if (!isObject(value)) return undefined;
  const [name, ...others] = Object.keys(value);
  if (name === undefined || others.length > 0 || !name.startsWith("$") || name.startsWith("$$")) return undefined;
  return { name, operand: value[name] };
}

function compare(expected: Expected, received: unknown, context: MatchContext, place: Place): Mismatch[] {
  const matcher = place.literal ? undefined : matcherOf(expected);
  if (matcher) return applyMatcher(matcher.name, matcher.operand, received, context, place);
  if (received === missing) return [mismatch(place, expected, received, "is missing")];
  if (typeof expected === "string") return compareString(expected, received, context, place);
  if (Array.isArray(expected)) return compareList(expected, received, context, place);
  if (isObject(expected)) return compareObject(expected, received, context, place);
  return expected === received ? [] : [mismatch(place, expected, received, "differs from the expected value")];
}

function compareString(expected: string, received: unknown, context: MatchContext, place: Place): Mismatch[] {
  if (expected.startsWith("$$") && !place.literal) {
    return expected.slice(1) === received
      ? []
      : [mismatch(place, expected.slice(1), received, "differs from the expected value")];
  }
  if (!place.isId || place.literal || !expected.startsWith("$")) {
    return expected === received ? [] : [mismatch(place, expected, received, "differs from the expected value")];
  }
  const name = expected.slice(1);
  const bound = context.bindings.get(name);
  if (bound !== undefined) {
    return bound === received ? [] : [mismatch(place, bound, received, `is not the id bound to $${name}`)];
  }
  if (typeof received !== "string" || received === "") {
    return [mismatch(place, expected, received, `cannot be bound to $${name}, because it is not an id`)];
  }
  context.bindings.set(name, received);
  return [];
}

function compareList(expected: unknown[], received: unknown, context: MatchContext, place: Place): Mismatch[] {
  if (!Array.isArray(received)) return [mismatch(place, expected, received, "is not a list")];
  const found: Mismatch[] = [];
  const shared = Math.min(expected.length, received.length);
  for (let index = 0; index < shared; index++) {
    found.push(...compare(expected[index], received[index], context, below(place, index)));
  }
  for (let index = shared; index < expected.length; index++) {
    found.push(mismatch(below(place, index), expected[index], missing, "is missing from the list"));
  }
  for (let index = shared; index < received.length; index++) {
    found.push(mismatch(below(place, index), missing, received[index], "is an extra entry"));
  }
  return found;
}

function compareObject(
  expected: Record<string, unknown>,
  received: unknown,
  context: MatchContext,
  place: Place,
): Mismatch[] {
  if (!isObject(received)) return [mismatch(place, expected, received, "is not an object")];
  const found: Mismatch[] = [];
  const known = new Set<string>();
  for (const [written, value] of Object.entries(expected)) {
    const key = written.startsWith("$$") && !place.literal ? written.slice(1) : written;
    known.add(key);
    const next = below(place, key, idKeys.has(key));
    found.push(...compare(value, Object.hasOwn(received, key) ? received[key] : missing, context, next));
  }
  if (!place.exact) return found;
  for (const key of Object.keys(received)) {
    if (!known.has(key)) found.push(mismatch(below(place, key), missing, received[key], "is an extra key"));
  }
  return found;
}

function applyMatcher(
  name: string,
  operand: unknown,
  received: unknown,
  context: MatchContext,
  place: Place,
): Mismatch[] {
  const expected = { [name]: operand };
  const wrong = (message: string) => [mismatch(place, expected, received, message)];
  if (name === "$absent") return received === missing ? [] : wrong("must not be there");
  if (name === "$policy") return matchPolicy(operand as PolicyOperand, received, context, place);
  if (received === missing) return wrong("is missing");
  switch (name) {
    case "$any":
      return [];
    case "$type":
      return hasType(received, operand) ? [] : wrong(`is of type ${typeOf(received)}`);
    case "$match":
      if (typeof received !== "string") return wrong("is not a string");
      return new RegExp(operand as string, "u").test(received) ? [] : wrong("does not match the pattern");
    case "$contains":
      return matchContains(operand, received, context, place);
    case "$exact":
      return compare(operand, received, context, { ...place, exact: true });
    case "$unordered":
      return matchUnordered(operand as unknown[], received, context, place);
    case "$not":
      return compare(operand, received, copyOf(context), place).length > 0 ? [] : wrong("has the forbidden value");
    default:
      throw new Error(`unknown matcher ${name}; the case loader accepts only ${Object.keys(matchers).join(", ")}`);
  }
}

interface PolicyOperand {
  name: string;
  cases: Record<string, unknown>;
}

function matchPolicy(operand: PolicyOperand, received: unknown, context: MatchContext, place: Place): Mismatch[] {
  const declared = context.policies[operand.name];
  if (declared !== undefined && Object.hasOwn(operand.cases, declared)) {
    return compare(operand.cases[declared], received, context, place);
  }
  const message = `cannot be checked: the driver declares ${declared ?? "nothing"} for policy ${operand.name}`;
  return [mismatch(place, { $policy: operand }, received, message)];
}

function matchContains(operand: unknown, received: unknown, context: MatchContext, place: Place): Mismatch[] {
  const expected = { $contains: operand };
  if (typeof received === "string") {
    const text = unescaped(operand);
    return typeof text === "string" && received.includes(text)
      ? []
      : [mismatch(place, expected, received, "does not contain the text")];
  }
  if (!Array.isArray(received)) return [mismatch(place, expected, received, "is neither a string nor a list")];
  const unordered = matcherOf(operand);
  if (unordered?.name === "$unordered")
    return containsUnordered(unordered.operand as unknown[], received, context, place);
  const wanted = Array.isArray(operand) ? operand : [operand];
  let from = 0;
  for (const [index, entry] of wanted.entries()) {
    const at = received.findIndex((value, position) => position >= from && accepts(entry, value, context, place));
    if (at < 0) {
      const elsewhere = received.some((value) => accepts(entry, value, copyOf(context), place));
      const message = elsewhere ? "is in the list, but not after the entries before it" : "is not in the list";
      return [mismatch(below(below(place, "$contains"), index), entry, received, message)];
    }
    from = at + 1;
  }
  return [];
}

function matchUnordered(operand: unknown[], received: unknown, context: MatchContext, place: Place): Mismatch[] {
  const expected = { $unordered: operand };
  if (!Array.isArray(received)) return [mismatch(place, expected, received, "is not a list")];
  if (received.length !== operand.length) {
    return [mismatch(place, expected, received, `has ${received.length} entries instead of ${operand.length}`)];
  }
  return containsUnordered(operand, received, context, place);
}

/** Every wanted entry meets an entry of its own; bindings may force another pairing than the first that fits. */
function containsUnordered(wanted: unknown[], received: unknown[], context: MatchContext, place: Place): Mismatch[] {
  const taken = new Set<number>();
  const pair = (index: number): boolean => {
    if (index === wanted.length) return true;
    for (let at = 0; at < received.length; at++) {
      if (taken.has(at)) continue;
      const before = new Map(context.bindings);
      if (accepts(wanted[index], received[at], context, place)) {
        taken.add(at);
        if (pair(index + 1)) return true;
        taken.delete(at);
      }
      restore(context, before);
    }
    return false;
  };
  if (pair(0)) return [];
  const unmatched = wanted.find((entry) => !received.some((value) => accepts(entry, value, copyOf(context), place)));
  const message = unmatched === undefined ? "has no pairing in which every entry fits" : "lacks an entry";
  return [mismatch(place, unmatched ?? wanted, received, message)];
}

/** Whether the value is as expected. Bindings are kept only if it is. */
function accepts(expected: unknown, received: unknown, context: MatchContext, place: Place): boolean {
  const before = new Map(context.bindings);
  if (compare(expected, received, context, place).length === 0) return true;
  restore(context, before);
  return false;
}

function restore(context: MatchContext, bindings: Map<string, string>): void {
  context.bindings.clear();
  for (const [name, value] of bindings) context.bindings.set(name, value);
}

function copyOf(context: MatchContext): MatchContext {
  return { bindings: new Map(context.bindings), policies: context.policies };
}

function hasType(value: unknown, operand: unknown): boolean {
  const wanted = Array.isArray(operand) ? operand : [operand];
  return wanted.includes(typeOf(value)) || (wanted.includes("number") && typeof value === "number");
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

function unescaped(value: unknown): unknown {
  return typeof value === "string" && value.startsWith("$$") ? value.slice(1) : value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function below(within: Place, key: string | number, isId = false): Place {
  return { within, key, isId, exact: within.exact, literal: within.literal };
}

function pointerOf({ within, key }: Place): string {
  if (typeof within === "string") return within;
  return pointerTo(pointerOf(within), key!);
}

function mismatch(place: Place, expected: unknown, received: unknown, message: string): Mismatch {
  const present = (value: unknown) => (value === missing ? undefined : value);
  return { path: pointerOf(place), expected: present(expected), received: present(received), message };
}
