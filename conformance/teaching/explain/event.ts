// Explains an event: what it reports, where it may occur, and what one looks like.

import { eventGrammar } from "../../kit/checks/event-grammar.ts";
import { fieldLines } from "./field-lines.ts";
import { exampleWith, hasWord } from "./json-example.ts";
import type { Kind, Sources } from "./kind.ts";
import { fewCases, listed, listedRequirements } from "./lists.ts";
import { titledSchemas } from "./schemas.ts";
import type { Schema } from "./schemas.ts";
import { tableOf } from "./spec-tables.ts";
import { closedLists } from "./vocabularies.ts";
import { placesOf } from "./where.ts";

const fields = ["type"];
const everyEventHas = ["type", "seq"];

export const eventKind: Kind = {
  called: "an event",
  names: () => Object.keys(eventGrammar().events),
  explain: lines,
};

function* lines(type: string, sources: Sources): Generator<string> {
  const { suite } = sources;
  const { requirements } = suite.catalogue;
  const { requirement } = eventGrammar().events[type]!;
  const schema = eventSchema(type);
  const named = [...requirements.values()].filter(({ id, text }) => id === requirement || text.includes(`\`${type}\``));
  yield `${type}, an event  ${schema.description}`;
  for (const [head, cell] of tableOf("loop/events", "event").get(type)!) if (head !== "see") yield `  ${head}: ${cell}`;
  yield* listed("Fields", fieldLines(schema, everyEventHas));
  yield* closedLists(schema);
  yield* listedRequirements("Requirements", named, sources);
  const example = exampleWith(type, fields);
  if (example !== undefined) yield `  For example: ${example}`;
  const cases = suite.cases.filter(({ case: { expect } }) => hasWord(expect, type, fields));
  yield* fewCases(cases, sources);
  yield* listed("In the reference", placesOf(`Event.${type}`));
}

function eventSchema(type: string): Schema {
  return titledSchemas().find(
    ({ title, properties }) => title?.endsWith("Event") && properties?.["type"]?.const === type,
  )!;
}
