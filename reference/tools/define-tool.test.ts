// Tools in code: types from schemas, standard schemas, and what is refused.

import { describe, expect, expectTypeOf, it } from "vitest";

import { defineTool } from "./define-tool.ts";
import type { StandardSchema } from "./standard-schema.ts";
import { validateInput } from "./validate-input.ts";

describe("defineTool", () => {
  it("infers the input from a JSON Schema", () => {
    defineTool({
      name: "book",
      input_schema: {
        type: "object",
        properties: {
          to: { type: "string" },
          seats: { type: "integer" },
          class: { enum: ["first", "second"] },
          stops: { type: "array", items: { type: "string" } },
        },
        required: ["to"],
      },
      execute(input) {
        expectTypeOf(input).toEqualTypeOf<{
          to: string;
          seats?: number;
          class?: "first" | "second";
          stops?: string[];
        }>();
        return "booked";
      },
    });
  });

  it("takes a standard schema that can say itself as JSON Schema", () => {
    const schema: StandardSchema<{ n: number }> = {
      "~standard": { jsonSchema: { input: () => ({ type: "object", properties: { n: { type: "number" } } }) } },
    };
    const tool = defineTool({ name: "half", input_schema: schema, execute: ({ n }) => String(n / 2) });
    expect(tool.input_schema).toEqual({ type: "object", properties: { n: { type: "number" } } });
  });

  it("says what to do with one that cannot", () => {
    const mute: StandardSchema = { "~standard": {} };
    expect(() => defineTool({ name: "mute", input_schema: mute })).toThrow(
      /expected a JSON Schema.*and this one as `validate`/s,
    );
  });

  it("makes a tool without a handler external", () => {
    expect(defineTool({ name: "ask", input_schema: { type: "object" } }).external).toBe(true);
    expect(defineTool({ name: "ask", input_schema: { type: "object" }, execute: () => "" }).external).toBeUndefined();
  });
});

describe("validateInput", () => {
  const schema = {
    type: "object",
    properties: { city: { type: "string" }, days: { type: "array", items: { type: "integer" } } },
    required: ["city"],
    additionalProperties: false,
  };

  it("accepts what fits, and converts nothing", async () => {
    expect(await validateInput(schema, { city: "Paris", days: [1] })).toEqual([]);
    expect(await validateInput(schema, { city: 1 })).toMatchObject([{ pointer: "/city" }]);
  });

  it("names the place of each problem, and only the deepest", async () => {
    expect(await validateInput(schema, { days: [1, "2"], wind: true })).toMatchObject([
      { pointer: "", message: expect.stringContaining("city") },
      { pointer: "/days/1" },
      { pointer: "/wind", message: "is not allowed" },
    ]);
  });
});
