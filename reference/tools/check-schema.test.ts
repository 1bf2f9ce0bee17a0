// Which schemas are refused before a run, and where the fault in them is said to be.

import { describe, expect, it } from "vitest";
import { checkSchema } from "./check-schema.ts";
import { unsafePattern } from "./safe-pattern.ts";
import { validateInput } from "./validate-input.ts";

const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });

describe("a schema that can be obeyed", () => {
  it.each([
    object({}),
    object({ n: { $ref: "#/$defs/n" } }, { $defs: { n: { $anchor: "n" }, m: { $ref: "#n" } } }),
    object({ children: { type: "array", items: { $ref: "#" } } }),
    object(
      { n: { $ref: "https://example.com/tool#/$defs/n" } },
      { $id: "https://example.com/tool", $defs: { n: true } },
    ),
    object({ $ref: { type: "string" }, format: { type: "string", format: "made-up" } }, { "x-order": ["format"] }),
    object({ l: { uniqueItems: true, contains: { type: "string" } } }, { unevaluatedProperties: false }),
  ])("is not refused: %j", (schema) => {
    expect(checkSchema(schema)).toBeUndefined();
  });
});

describe("a schema that cannot be obeyed", () => {
  it.each([
    ["/$schema", { $schema: "http://json-schema.org/draft-04/schema#", type: "object" }],
    ["/properties/a~1b/$ref", object({ "a/b": { $ref: "#/$defs/none" } })],
    ["/properties/n/$ref", object({ n: { $ref: "https://example.com/n.json" } })],
    ["/$ref", object({}, { $ref: "#" })],
    ["/$defs/a/$ref", object({ n: { $ref: "#/$defs/a" } }, { $defs: { a: { $ref: "#nowhere" } } })],
    ["/properties/n/type", object({ n: { type: "text" } })],
    ["/properties/n/$dynamicRef", object({ n: { $dynamicRef: "#n" } })],
    ["/properties/t/pattern", object({ t: { pattern: "^(a+)+$" } })],
    ["/properties/n/items/$id", object({ n: { items: { $id: "n" } } })],
  ])("is refused at %s", (pointer, schema) => {
    expect(checkSchema(schema)).toMatchObject({ pointer, message: expect.stringMatching(/\w/) as string });
  });
});

describe("a pattern", () => {
  it.each(["^[a-z0-9]+(-[a-z0-9]+)*$", "^(foo|bar)+$", String.raw`^\d{4}-\d{2}$`, "^(?:[a-z]+\\.)+[a-z]{2,}$", "[(]+"])(
    "is taken for safe: %s",
    (pattern) => {
      expect(unsafePattern(pattern)).toBeUndefined();
    },
  );

  it.each(["^(a+)+$", "(a|a)*b", "(x+x+)+y", "([a-z]+)*$", String.raw`(a)\1`, "(?:a*){2,}", "(", "((a+)b?)+"])(
    "is refused: %s",
    (pattern) => {
      expect(unsafePattern(pattern)).toMatch(/\w/);
    },
  );
});

it("takes arguments that the validator cannot walk through for wrong ones, and does not throw", async () => {
  const problems = await validateInput(object({ "\ud800": { type: "number" } }), { "\ud800": "x" });
  expect(problems).toHaveLength(1);
});
