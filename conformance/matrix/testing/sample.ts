// A matrix for tests, in which every text that comes from outside can be replaced.

import type { Matrix, MatrixRow } from "../../../schemas/types.ts";

/** A row of a framework that breaks one requirement, with a script, and another without. */
export function sampleRow(id = "peers/some-framework", text = "x"): MatrixRow {
  const evidence = {
    case: text,
    variant: "openai-chat/json",
    command: `npx agent-loop-spec test ${text}`,
    exchanges: [{ number: 1, request: text, response: text }],
    ended: text,
    more: text,
  };
  const scripts = [{ file: `conformance/peers/${text}`, shows: true, exit: 1, output: text }];
  return {
    id,
    kind: id.startsWith("peers/") ? "framework" : id.startsWith("agents/") ? "program" : "own",
    title: `Some Framework ${text}`,
    configuration: text,
    language: text,
    packages: [{ registry: "npm", name: text, version: text }],
    measured_at: "2026-11-01T10:00:00.000Z",
    kit: text,
    spec: text,
    providers: ["openai-chat"],
    variants: { selected: 3, pass: 1, fail: 2 },
    cells: {
      "LOOP-9": {
        outcome: "broken",
        providers: { "openai-chat": "broken" },
        broken: 1,
        kept: 1,
        sentence: text,
        evidence,
        scripts,
      },
      "LOOP-18": {
        outcome: "unconfirmed",
        providers: { "openai-chat": "broken" },
        broken: 1,
        sentence: text,
        evidence,
      },
      "SESSION-26": { outcome: "not_expressible", reason: text },
    },
    next: { "tool-throws": { "openai-chat/json": { outcome: "broken", requirements: ["LOOP-9"], sentence: text } } },
    observed: [{ policy: "unknown_tool", choices: { answered: 1 } }],
    disputes: text,
    changed: {
      since: "2026-10-01T10:00:00.000Z",
      versions: [text],
      cells: [{ requirement: "LOOP-9", before: "kept", after: "broken" }],
    },
  };
}

/** A matrix of such rows. */
export function sampleMatrix(rows: MatrixRow[] = [sampleRow()], text = "x"): Matrix {
  const about = { text, without: text, at: text };
  return {
    matrix: 1,
    requirements: {
      "LOOP-9": { severity: "executes", ...about },
      "LOOP-18": { severity: "misreports", ...about },
      "SESSION-26": { severity: "bricks", ...about },
    },
    policies: { unknown_tool: { question: text, choices: { answered: text, raised: text }, spec: "answered" } },
    scenes: { "tool-throws": text },
    rows,
  };
}
