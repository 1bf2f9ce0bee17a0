// Redacts secrets in everything that the kit reports.

import { looksRandom } from "./looks-random.ts";
import { alreadyOut, headerEnd, keyShapes, loginEnd, secretEnd, sign, weakEnd } from "./secret-patterns.ts";

/** What replaces a secret. */
export const redacted = "[redacted]";

/** How the API keys begin that the kit gives to drivers. Drivers handle them like real keys, so they are redacted too. */
export const apiKeyPrefix = "test-key-";

/** What is replaced wherever it stands. */
const shapes = [new RegExp(`${apiKeyPrefix}[a-z0-9]{8,}`, "g"), ...keyShapes.map(({ shape }) => shape)];

/** Names whose values are secrets. */
const secretName = new RegExp(`(?:${headerEnd}|${secretEnd})$`, "i");

/**
 * Such an end in a text, with what is assigned to it. What the name begins with is not looked at: to find it, a text of a megabyte
 * without a blank would be read anew from each of its letters.
 */
const assignment = new RegExp(`(${secretEnd})${sign}((?:${alreadyOut}|[^\\s"'\\\\,;&{}[\\]])+)`, "gi");
/** The value of a name that may hold a secret; it is one if it looks like one. */
const weak = new RegExp(`((?<![A-Za-z])${weakEnd}${sign})([^\\s"'\\\\,;&{}[\\]()<>]{8,})`, "gi");
const login = new RegExp(`(${loginEnd})([^\\s"'\\\\<>]{6,})`, "gi");
const webKey = /("d"\s*:\s*")[\w-]{43,}(?=")/g;
/** A header has blanks and commas in its value: it ends with its line, or with the quotes around it. */
const header = new RegExp(`(${headerEnd})${sign}((?:bearer|basic)\\s+)?((?:${alreadyOut}|[^"'\\\\\r\n{}[\\]])+)`, "gi");
/** An option of a command line, whose value is the next word. */
const option = new RegExp(`(--[\\w-]{0,40}?(?:${secretEnd}|token)\\s+)((?:${alreadyOut}|[^\\s"'\\\\])+)`, "gi");
const bearer = /\b(bearer\s+)[\w.~+/-]{8,}=*/gi;
const passwordInUrl = /(:\/\/[^\s/:@]*:)[^\s/@]+@/g;

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
      secretName.test(key) ? redactNamed(entry) : redactValue(entry),
    ]),
  );
}

/** The value of a name that says that it is secret; a header may have several. */
function redactNamed(value: unknown): unknown {
  if (typeof value === "string") return redacted;
  if (Array.isArray(value)) return value.map(redactNamed);
  return redactValue(value);
}

/**
 * Short texts in which nothing was found. A report says the same few thousand names and ids again and again, and to look for
 * eighty shapes in each of them was a quarter of the work of the kit.
 */
const harmless = new Set<string>();
const longestKept = 80;
const mostKept = 20_000;

function redactText(text: string): string {
  if (text.length > longestKept) return searchText(text);
  if (harmless.has(text)) return text;
  const searched = searchText(text);
  if (searched !== text) return searched;
  if (harmless.size >= mostKept) harmless.clear();
  harmless.add(text);
  return text;
}

function searchText(text: string): string {
  return shapes
    .reduce((left, shape) => left.replace(shape, redacted), text)
    .replace(header, (_, name: string, between: string, scheme = "") => `${name}${between}${scheme}${redacted}`)
    .replace(bearer, `$1${redacted}`)
    .replace(assignment, `$1$2${redacted}`)
    .replace(option, `$1${redacted}`)
    .replace(weak, (all: string, before: string, _sign: string, value: string) =>
      looksRandom(value) ? `${before}${redacted}` : all,
    )
    .replace(login, `$1${redacted}`)
    .replace(webKey, `$1${redacted}`)
    .replace(passwordInUrl, `$1${redacted}@`);
}
