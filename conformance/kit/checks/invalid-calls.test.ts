// A value may be handed over as another type of the same word, and as nothing else.

import { expect, it } from "vitest";
import { isSameInWords } from "./invalid-calls.ts";

it.each<[string, unknown, unknown]>([
  ["a truth", { on: "true" }, { on: true }],
  ["a number", { days: "3" }, { days: 3 }],
  ["a number inside", { stay: [{ days: 3 }] }, { stay: [{ days: "3" }] }],
  ["nothing changed", { city: null }, { city: null }],
])("may convert %s", (_, written, handed) => expect(isSameInWords(written, handed)).toBe(true));

it.each<[string, unknown, unknown]>([
  ["another number", { days: "3" }, { days: 4 }],
  ["an object for its text", { to: { name: "Ann" } }, { to: "[object Object]" }],
  ["a list for what is in it", { to: ["Ann"] }, { to: "Ann" }],
  ["a word for nothing", { to: null }, { to: "null" }],
  ["an object for a list", { to: ["Ann"] }, { to: { 0: "Ann" } }],
  ["one value less", { to: "Ann", days: "3" }, { days: 3 }],
  ["one value more", { days: "3" }, { days: 3, to: "Ann" }],
])("may not hand over %s", (_, written, handed) => expect(isSameInWords(written, handed)).toBe(false));
