// The bounds of a run: the defaults of the spec, and how deep a value or a text is nested.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { boundsOf, defaultBounds, isDeeper, isDeeperText, shallowJson } from "./bounds.ts";

test("the defaults are those of the spec, and of its text", () => {
  const read = (file: string) => readFileSync(new URL(`../../spec/${file}`, import.meta.url), "utf8");
  const table = JSON.parse(read("bounds.json")) as Record<string, { default: number; what: string }>;
  expect(Object.fromEntries(Object.entries(table).map(([name, one]) => [name, one.default]))).toEqual(defaultBounds);
  for (const [name, one] of Object.entries(table))
    expect(read("loop/loop.md")).toContain(`| \`${name}\` | ${one.default} | ${one.what} |`);
  expect(boundsOf({ depth: 3 })).toEqual({ ...defaultBounds, depth: 3 });
});

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { value };
  return value;
};

test.each([0, 1, 2, 7, 100_000])("a value of %i levels is not deeper than that, and deeper than one less", (depth) => {
  expect(isDeeper(nested(depth), depth)).toBe(false);
  if (depth > 0) expect(isDeeper(nested(depth), depth - 1)).toBe(true);
});

test.each([
  ['{"a":[1,2],"b":{"c":[]}}', 3],
  ['"[[[["', 0],
  ['{"a\\"[[":"]]{{\\\\"}', 1],
  ["[[],[],[]]", 2],
])("the text %s has %i levels", (text, depth) => {
  expect(isDeeperText(text, depth)).toBe(false);
  if (depth > 0) expect(isDeeperText(text, depth - 1)).toBe(true);
});

test("what is nested too deep to be written is written in part", () => {
  expect(shallowJson(nested(3), 2)).toBe('[{"value":"…"}]');
  expect(shallowJson(nested(100_000), 3)).toBe('{"value":[{"value":"…"}]}');
});
