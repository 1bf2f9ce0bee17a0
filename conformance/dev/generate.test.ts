// Shows what the generators make of schemas and markers, and what they refuse.

import { expect, test } from "vitest";
import { fillMarkdown, stopTableFile } from "./generate-tables.ts";
import { typesFile } from "./generate-types.ts";
import type { Schema } from "./schema-files.ts";

const description = "Something.";
const types = (schemas: Record<string, Schema>) => typesFile(new Map(Object.entries(schemas)));

test("a reference becomes the name of its type, and its comment stays", async () => {
  const size: Schema = {
    title: "Size",
    description,
    type: "object",
    additionalProperties: false,
    properties: { $ref: {} },
  };
  const box: Schema = {
    title: "Box",
    description,
    type: "object",
    additionalProperties: false,
    required: ["size"],
    properties: {
      size: { $ref: "size.schema.json", description: "How large it is." },
      note: { description: "A note." },
    },
  };
  size.properties = { width: { type: "integer", description: "In metres." } };
  const text = await types({ "box.schema.json": box, "size.schema.json": size });
  expect(text).toContain("  /** How large it is. */\n  size: Size;\n  /** A note. */\n  note?: unknown;\n");
  expect(text.match(/export interface/g)).toHaveLength(2);
});

test("a reference to nothing is refused", async () => {
  const box: Schema = { title: "Box", type: "object", properties: { size: { $ref: "sise.schema.json", description } } };
  await expect(types({ "box.schema.json": box })).rejects.toThrow(
    /schemas\/box\.schema\.json: \$ref "sise\.schema\.json" names no schema/,
  );
});

test("two different schemas with one title are refused", async () => {
  const inner = (type: string): Schema => ({
    title: "Inner",
    type: "object",
    properties: { a: { type, description } },
  });
  const outer: Schema = { title: "Outer", type: "object", properties: { one: inner("string"), two: inner("number") } };
  await expect(types({ "outer.schema.json": outer })).rejects.toThrow(/two different schemas have the title Inner/);
});

test("a marked part of a text is filled, the rest stays", () => {
  const text = fillMarkdown("x.md", "before\n<!-- generated:features -->\nold\n<!-- /generated -->\nafter\n");
  expect(text).toMatch(
    /^before\n<!-- generated:features -->\n\| feature \| meaning \|\n[\s\S]*`cancel`[\s\S]*<!-- \/generated -->\nafter\n$/,
  );
});

test("an unknown table and a part that is not closed are refused", () => {
  expect(() => fillMarkdown("x.md", "<!-- generated:nothing -->\n<!-- /generated -->")).toThrow(
    /x\.md: no table is called "nothing". Known: stop-table, /,
  );
  expect(() => fillMarkdown("x.md", "<!-- generated:features -->\n")).toThrow(
    /x\.md: a part that begins with .* has no <!-- \/generated -->/,
  );
});

test("the stop table becomes typed code", () => {
  const row = { no_calls: { do: "finish", status: "completed" }, calls: { do: "execute" } } as const;
  expect(stopTableFile({ end_turn: row })).toContain(
    '  end_turn: {\n    no_calls: { do: "finish", status: "completed" },\n    calls: { do: "execute" },\n  },\n',
  );
});
