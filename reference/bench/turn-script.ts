// The work that every subject of the benchmark does: what the model says, which tools it calls, and what they answer.

import type { ProviderName } from "../../schemas/types.ts";

/** A provider whose wire is measured. */
export type Wire = ProviderName;
export type Transport = "json" | "sse";

/** One size of the work: a conversation of so many model calls, of which the last one only says that it is done. */
export interface Scenario {
  wire: Wire;
  transport: Transport;
  /** Tool calls in each turn but the last. */
  calls: number;
  turns: number;
}

/** The arguments of a tool call, of about 100 characters. */
export interface ReadInput {
  path: string;
  from: number;
  to: number;
  reason: string;
}

export const MODEL = "bench-model";
export const MAX_TOKENS = 4096;
export const SYSTEM = "You are a careful engineer. Read what you need before you change anything, and say why.";
export const TASK = "Find out why the parser drops the last record of a file without a final line break, and fix it.";
export const DONE = "The last record is kept now: the buffer is flushed when the input ends.";

/** The one tool that is called, as the loop declares it. */
export const readTool = {
  name: "read_file",
  description: "Reads the lines of a text file from the first to the last that are asked for, both included.",
  input_schema: {
    type: "object" as const,
    properties: {
      path: { type: "string", description: "From the root of the repository" },
      from: { type: "integer", minimum: 1 },
      to: { type: "integer", minimum: 1 },
      reason: { type: "string" },
    },
    required: ["path", "from", "to", "reason"],
    additionalProperties: false,
  },
};

/** What the model says beside the calls of a turn, about 200 characters. Turns count from 1. */
export function textOf(turn: number): string {
  return (
    `Step ${turn}: the records are split in one place and joined in another, and the two do not agree on what ends ` +
    `a record. I look at both sides before I change one of them, beginning with the module that reads.`
  );
}

export function callIdOf(turn: number, call: number): string {
  return `call_${turn}_${call}_0123456789abcdef`;
}

export function inputOf(turn: number, call: number): ReadInput {
  const from = turn * 10 + call;
  return { path: `src/module-${turn}/part-${call}.ts`, from, to: from + 24, reason: "see how its records end" };
}

const line = 'export const part = { ends: "\\n", keeps: true }; // one of many\n';

/** What the tool answers, about 1,000 characters. */
export function outputOf({ path, from, to }: ReadInput): string {
  return `// ${path}, lines ${from} to ${to}\n${line.repeat(15)}`;
}

/** What a whole conversation says in order: the texts, calls and results that a last request must have. */
export function conversation({ calls, turns }: Scenario): string[] {
  const said = [`user ${TASK}`];
  for (let turn = 1; turn < turns; turn++) {
    said.push(`text ${textOf(turn)}`);
    const numbers = Array.from({ length: calls }, (_, call) => call);
    for (const call of numbers) said.push(`call ${callIdOf(turn, call)} ${JSON.stringify(inputOf(turn, call))}`);
    for (const call of numbers) said.push(`result ${callIdOf(turn, call)} ${outputOf(inputOf(turn, call))}`);
  }
  return said;
}
