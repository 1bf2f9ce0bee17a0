// Names with a dot are told from the specification's as the schema does.

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { isExtension } from "./extension-name.ts";
import { packagePath } from "./package-root.ts";

it.each([
  ["com.example.paused", true],
  ["io.github.some-one.tool_search", true],
  ["clock.virtual", true],
  ["paused", false],
  ["com.example.Paused", false],
  ["com.example.paused for now", false],
  [".paused", false],
])("%s: %s", (name, expected) => {
  const { pattern } = JSON.parse(readFileSync(packagePath("schemas/extension.schema.json"), "utf8")) as {
    pattern: string;
  };
  expect(isExtension(name)).toBe(expected);
  expect(new RegExp(pattern).test(name)).toBe(expected);
});
