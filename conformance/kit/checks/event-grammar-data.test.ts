// The grammar of events is whole: valid, about every event that there is, and about nothing else.

import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { readSchemaFiles } from "../../dev/schema-files.ts";
import { readCatalogue } from "../suite/catalogue.ts";
import { eventGrammar } from "./event-grammar.ts";
import { packagePath } from "../base/package-root.ts";

const grammar = eventGrammar();
const schemas = readSchemaFiles();
const ajv = new Ajv2020({ discriminator: true, strict: false });
for (const [name, schema] of schemas) ajv.addSchema(schema, name);
const isValid = ajv.getSchema("event-grammar.schema.json")!;

interface EventSchema {
  properties: Record<string, { const?: string }>;
}
const definitions = Object.values(schemas.get("event.schema.json")!.$defs!) as unknown as EventSchema[];
const fieldsOf = new Map(
  definitions.flatMap(({ properties }) =>
    properties?.["type"]?.const === undefined ? [] : [[properties["type"].const, Object.keys(properties)] as const],
  ),
);
const { requirements, features } = readCatalogue(packagePath());

describe("spec/event-grammar.json", () => {
  it("is as its schema says, which refuses what is not", () => {
    expect(isValid(grammar)).toBe(true);
    const { run_start: _, ...events } = grammar.events;
    const wrong = [
      { ...grammar, events: { ...events, run_start: { requirement: "EVENT-1" } } },
      { ...grammar, events: { ...events, run_start: { starts: "run", ends: "run", requirement: "EVENT-1" } } },
      { ...grammar, pairs: { run: { start: "run_start", requirement: "EVENT-2" } } },
      { ...grammar, limits: { max_turns: "tired" } },
      { ...grammar, order: [] },
    ];
    for (const one of wrong) expect(isValid(one), JSON.stringify(one)).toBe(false);
  });

  it("has every event of the schema, and no other", () => {
    expect(Object.keys(grammar.events).sort()).toEqual([...fieldsOf.keys()].sort());
  });

  it("names requirements, features, pairs and parts that there are", () => {
    const rules = [...Object.values(grammar.events), ...Object.values(grammar.pairs)];
    for (const { requirement, feature } of rules) {
      expect(requirements.has(requirement), requirement).toBe(true);
      if (feature !== undefined) expect(features.has(feature), feature).toBe(true);
    }
    for (const { in: around, part, beside = [] } of Object.values(grammar.pairs)) {
      for (const name of [...(around === undefined ? [] : [around]), ...beside])
        expect(grammar.pairs, name).toHaveProperty(name);
      if (part !== undefined) expect(grammar.pairs[around!]!.parts).toContain(part);
    }
    for (const { in: places = [] } of Object.values(grammar.events))
      for (const { pair, parts = [] } of places)
        expect(grammar.pairs[pair]!.parts ?? []).toEqual(expect.arrayContaining(parts));
  });

  it("lets the start and the end of each pair say so, with the fields of its key", () => {
    for (const [name, { start, end, key = [] }] of Object.entries(grammar.pairs)) {
      expect(grammar.events[start]?.starts).toBe(name);
      expect(grammar.events[end]?.ends).toBe(name);
      for (const field of key) for (const type of [start, end]) expect(fieldsOf.get(type), type).toContain(field);
    }
  });
});
