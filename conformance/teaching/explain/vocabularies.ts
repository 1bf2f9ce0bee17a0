// The closed lists of words that the schemas have, and where the spec says what their words mean.

import { listed } from "./lists.ts";
import { tableOf } from "./spec-tables.ts";
import type { TableRow } from "./spec-tables.ts";
import { meaningIn, titledSchemas } from "./schemas.ts";
import type { Schema } from "./schemas.ts";

/** A closed list of words. */
export interface Vocabulary {
  /** The title of its schema. */
  type: string;
  /** What a word of it is. */
  called: string;
  /** What stands before such a word in a requirement, as in "with status `cancelled`". */
  noun: RegExp;
  /** The fields that have such a word. */
  fields: readonly string[];
  /** The functions of the reference that take such a word. */
  takers?: readonly string[];
  /** The kit says such words, the loop does not. */
  isOfKit?: true;
  /** The chapter and the head of the table that explains its words. Absent: the schema says what they mean. */
  table?: readonly [chapter: string, head: string];
}

export const vocabularies: readonly Vocabulary[] = [
  {
    type: "RunStatus",
    called: "a status of a run",
    noun: /status/,
    fields: ["status"],
    table: ["loop/results", "status"],
  },
  {
    type: "StopReason",
    called: "a stop reason",
    noun: /stop reason/,
    fields: ["stop_reason"],
    table: ["loop/loop", "stop reason"],
  },
  {
    type: "Outcome",
    called: "an outcome of a tool call",
    noun: /outcome|answers? (it|them|each|the calls)/,
    fields: ["outcome", "outcomes"],
    takers: ["answer", "answerAll", "answered", "syntheticResult"],
    table: ["loop/session", "outcome"],
  },
  {
    type: "ErrorKind",
    called: "an error kind",
    noun: /kind/,
    fields: ["kind", "error"],
    table: ["loop/results", "kind"],
  },
  { type: "WarningCode", called: "a warning", noun: /warning/, fields: ["code"], table: ["loop/events", "warning"] },
  { type: "Phase", called: "a phase of a run", noun: /state|phase/, fields: ["phase"], table: ["loop/loop", "state"] },
  {
    type: "HookPoint",
    called: "a point of hooks",
    noun: /hook|point/,
    fields: ["point"],
    table: ["loop/hooks", "point"],
  },
  {
    type: "GuardrailPoint",
    called: "a point of guardrails",
    noun: /guardrail|point/,
    fields: ["point"],
    table: ["loop/guardrails", "point"],
  },
  { type: "StepKind", called: "a kind of step", noun: /kind/, fields: ["kind"] },
  {
    type: "Verdict",
    called: "a verdict of the kit",
    noun: /verdict/,
    fields: ["verdict"],
    isOfKit: true,
    table: ["kit/conformance", "verdict"],
  },
  {
    type: "FailureCode",
    called: "a failure code of the kit",
    noun: /fail/,
    fields: ["code"],
    isOfKit: true,
    table: ["kit/conformance", "failure code"],
  },
  { type: "Severity", called: "a severity of a finding", noun: /severity/, fields: ["severity"] },
];

/** The words of a vocabulary, in the order of the schema. */
export function wordsOf({ type }: Vocabulary): string[] {
  return schemaOf(type).enum as string[];
}

/** What a word means, as lines of text. */
export function meaningOf(word: string, { type, table }: Vocabulary): string[] {
  const row = table && tableOf(...table).get(word);
  return row ? cells(row) : [meaningInSchema(word, type)];
}

/** What the schema says of a word, or else of all of them. */
function meaningInSchema(word: string, type: string): string {
  const schema = schemaOf(type);
  return meaningIn(word, schema) ?? schema.description ?? "";
}

/** Every word of a list with what it means, a line each. */
export function wordLines(vocabulary: Vocabulary): string[] {
  return wordsOf(vocabulary).map((word) => `${word}  ${inOneLine(word, vocabulary)}`);
}

/** What a word means; in the only column that says something of it, the head says nothing. */
function inOneLine(word: string, { type, table }: Vocabulary): string {
  const row = table && tableOf(...table).get(word);
  if (row === undefined) return meaningInSchema(word, type);
  return row.size === 1 ? [...row.values()].join() : cells(row).join("; ");
}

/** The words that the fields of a type may have, for each field that has a list. */
export function* closedLists({ properties = {} }: Schema): Generator<string> {
  for (const [field, schema] of Object.entries(properties)) {
    const types = [...JSON.stringify(schema).matchAll(/"\$ref":"[^"]*\/(\w+)"/g)].map(([, type]) => type);
    for (const vocabulary of vocabularies.filter(({ type }) => types.includes(type)))
      yield* listed(`${field} is one of`, wordLines(vocabulary));
  }
}

function cells(row: TableRow): string[] {
  return [...row].map(([head, cell]) => `${head}: ${cell}`);
}

function schemaOf(type: string): Schema {
  return titledSchemas().find(({ title, enum: words }) => title === type && words !== undefined)!;
}
