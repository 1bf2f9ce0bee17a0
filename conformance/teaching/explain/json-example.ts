// Finds the smallest JSON example in which a field has a certain word.

import { readFileSync, readdirSync } from "node:fs";
import { packagePath } from "../../kit/base/package-root.ts";

type Json = Record<string, unknown>;

let read: unknown[] | undefined;

/** Letters of an example; what is inside one that is longer is left out. */
const maxLetters = 240;

/** The smallest object of the schemas' examples that says the word in one of these fields; absent if none does. */
export function exampleWith(word: string, fields: readonly string[]): string | undefined {
  // One that says nothing else shows nothing.
  const found = examples()
    .flatMap((example) => [...objectsWith(example, word, fields)])
    .filter((object) => Object.keys(object).length > 1);
  const [smallest] = found.sort((left, right) => JSON.stringify(left).length - JSON.stringify(right).length);
  if (smallest === undefined) return undefined;
  const whole = JSON.stringify(smallest);
  return whole.length <= maxLetters ? whole : `{${Object.entries(smallest).map(short).join(",")}}`;
}

function short([key, value]: [string, unknown]): string {
  const isDeep = typeof value === "object" && value !== null && Object.keys(value).length > 0;
  return `${JSON.stringify(key)}:${isDeep ? (Array.isArray(value) ? "[…]" : "{…}") : JSON.stringify(value)}`;
}

const spoken = new WeakMap<object, Set<string>>();

/** Whether the word stands in one of these fields, however deep. A value is looked through once, whatever is asked of it. */
export function hasWord(value: object, word: string, fields: readonly string[]): boolean {
  const words = spoken.get(value) ?? collect(value, new Set());
  spoken.set(value, words);
  return fields.some((field) => words.has(`${field}: ${word}`));
}

function collect(value: object, words: Set<string>): Set<string> {
  for (const [field, inner] of Object.entries(value)) {
    for (const word of [inner].flat()) if (typeof word === "string") words.add(`${field}: ${word}`);
    if (typeof inner === "object" && inner !== null) collect(inner as object, words);
  }
  return words;
}

function* objectsWith(value: unknown, word: string, fields: readonly string[]): Generator<Json> {
  if (typeof value !== "object" || value === null) return;
  const says = (field: string) => [(value as Json)[field]].flat().includes(word);
  if (!Array.isArray(value) && fields.some(says)) yield value as Json;
  for (const inner of Object.values(value)) yield* objectsWith(inner, word, fields);
}

function examples(): unknown[] {
  const folder = packagePath("schemas", "examples");
  read ??= readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json") && !name.startsWith("Case"))
    .sort()
    .map((name) => JSON.parse(readFileSync(packagePath("schemas", "examples", name), "utf8")) as unknown);
  return read;
}
