// Takes secrets out of everything that the kit reports, wherever in it they stand.

import { keyShapes } from "./key-shapes.ts";

/** What stands in the place of a secret. */
export const redacted = "[redacted]";

/** How the API keys begin that the kit gives to drivers. Drivers treat them as any other, so nobody may read them either. */
export const apiKeyPrefix = "test-key-";

/** What is replaced wherever it stands. */
const shapes = [new RegExp(`${apiKeyPrefix}[a-z0-9]{8,}`, "g"), ...keyShapes.map(([, shape]) => shape)];

/** How names end whose values are secrets: of headers, of variables and of fields. */
const secretEnd =
  "(?:authorization|cookie|api[-_]?key|access[-_]?(?:key|token)|auth[-_]?token|[-_]token|secret|password)";
const secretName = new RegExp(`${secretEnd}$`, "i");

/**
 * Such an end in a text, with what is assigned to it; quotes may be escaped, where JSON stands in a string. What the name begins with
 * is not looked at: to find it, a text of a megabyte without a blank would be read anew from each of its letters.
 */
const assignment = new RegExp(
  String.raw`(${secretEnd})(\\*["']?\s*[:=]\s*\\*["']?)((?:bearer|basic)\s+)?([^\s"'\\,;&{}[\]]+)`,
  "gi",
);
const bearer = /\b(bearer\s+)[\w.~+/-]{8,}=*/gi;
const passwordInUrl = /(:\/\/[^\s/:@]+:)[^\s/@]+@/g;

/**
 * A copy of a JSON value without secrets: keys of known shapes, also as a part of a text, and the values of names that say
 * what they are.
 * @see REPORT-5
 */
export function redact<Value>(value: Value): Value {
  return redactValue(value) as Value;
}

function redactValue(value: unknown): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(redactValue);
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      redactText(key),
      typeof entry === "string" && secretName.test(key) ? redacted : redactValue(entry),
    ]),
  );
}

function redactText(text: string): string {
  return shapes
    .reduce((left, shape) => left.replace(shape, redacted), text)
    .replace(bearer, `$1${redacted}`)
    .replace(assignment, (_, name: string, sign: string, scheme = "") => `${name}${sign}${scheme}${redacted}`)
    .replace(passwordInUrl, `$1${redacted}@`);
}
