// The data of the matrix: rows are found by name, replaced whole, compared with what they were, and written one cell a line.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MatrixRow, VariantResult } from "../../schemas/types.ts";
import { packagePath } from "../kit/base/package-root.ts";
import { validate } from "../kit/base/validate.ts";
import { sharedSuite } from "../kit/testing/shared-suite.ts";
import type { Suite } from "../kit/index.ts";
import { cellsOf } from "./cells.ts";
import { changedLine, changesOf } from "./changes.ts";
import { shortened } from "./evidence.ts";
import { findBreach, issueText } from "./issue.ts";
import { emptyMatrix, matrixText, readMatrix, withRow, writeMatrix } from "./matrix-file.ts";
import { nextMessages } from "./next-messages.ts";
import { brokenByOthers, brokenLines, brokenWords } from "./real-loops.ts";
import { chosenSources, sources } from "./rows.ts";
import { requirementsShown } from "./scripts.ts";
import { isRed, rowLines } from "./summary.ts";
import { sampleMatrix, sampleRow } from "./testing/sample.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-loop-matrix-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the data file", () => {
  it("that comes with the project is valid, and has no red cell that no script showed", () => {
    const { rows } = readMatrix(packagePath("conformance/matrix/matrix.json"));
    expect(rows.length).toBeGreaterThan(0);
    const red = rows.flatMap(({ id, cells = {} }) =>
      Object.entries(cells).flatMap(([requirement, { outcome, scripts = [] }]) =>
        outcome === "broken" && !scripts.some(({ shows }) => shows) ? [`${id}/${requirement}`] : [],
      ),
    );
    expect(red).toEqual([]);
  });
  it("is read as it was written, with each cell on a line of its own", () => {
    const matrix = sampleMatrix([sampleRow(), { ...sampleRow("agents/some-program"), cells: {} }]);
    const file = join(folder, "m.json");
    writeMatrix(file, matrix);
    expect(readMatrix(file)).toEqual(matrix);
    expect(
      matrixText(matrix)
        .split("\n")
        .filter((line) => line.includes('"outcome":"broken"')),
    ).toHaveLength(3);
    expect(validate("Matrix", JSON.parse(matrixText(emptyMatrix)))).toEqual([]);
  });
  it("is refused with a reason where it is none", () => {
    const file = join(folder, "bad.json");
    writeFileSync(file, "{");
    expect(() => readMatrix(file)).toThrow(/bad\.json is not JSON/);
    writeFileSync(file, '{"matrix": 2, "rows": []}');
    expect(() => readMatrix(file)).toThrow(/bad\.json is no matrix:\n.*\/matrix/s);
  });
});

describe("a row", () => {
  let suite: Suite;
  beforeAll(async () => {
    suite = await sharedSuite();
  });

  it("replaces the one that it had, and says what changed", () => {
    const { changed: _, ...first } = sampleRow();
    const other = sampleRow("peers/other");
    const before = withRow(withRow(emptyMatrix, first, suite), other, suite);
    expect(before.rows.map(({ id }) => id)).toEqual(["peers/other", "peers/some-framework"]);
    const now: MatrixRow = { ...first, cells: { ...first.cells, "LOOP-9": { outcome: "kept" } } };
    const after = withRow(before, now, suite);
    expect(after.rows).toHaveLength(2);
    expect(after.rows[1]!.changed).toEqual({
      since: first.measured_at,
      cells: [{ requirement: "LOOP-9", before: "broken", after: "kept" }],
    });
    expect(after.rows[0]).toEqual(before.rows[0]);
    expect(validate("Matrix", after)).toEqual([]);
    expect(Object.keys(after.policies)).toContain("unknown_tool");
    expect(after.requirements["LOOP-9"]!.severity).toBe("executes");
  });
  it("that cannot be measured now stays as it was measured before", () => {
    const before = sampleMatrix();
    const { cells: _, ...gone } = { ...sampleRow(), unavailable: "npm is not on this machine" };
    expect(withRow(before, gone, suite)).toBe(before);
    expect(withRow(emptyMatrix, gone, suite).rows).toEqual([gone]);
  });
  it("compares versions, and says nothing where nothing changed", () => {
    const row = sampleRow();
    expect(changesOf(undefined, row)).toBeUndefined();
    expect(changesOf(row, row)).toBeUndefined();
    const newer = { ...row, packages: [{ ...row.packages[0]!, version: "y" }] };
    expect(changedLine(changesOf(row, newer)!)).toBe("changed since 2026-11-01: x x → y");
    const lost = { ...row, cells: {} };
    expect(changedLine(changesOf(row, lost)!)).toContain("LOOP-9 broken → not there");
  });
  it("is summed up by severity, and what no script shows is called so", () => {
    const lines = [...rowLines(sampleRow(), sampleMatrix())];
    expect(lines).toEqual([
      "peers/some-framework: Some Framework x x: 1 broken, 1 unconfirmed, 1 not expressible",
      "  executes: LOOP-9",
      "  without a script that shows it, and so not red: LOOP-18",
      "  changed since 2026-10-01: x, LOOP-9 kept → broken",
    ]);
    expect([isRed(sampleRow()), isRed({ cells: { "LOOP-9": { outcome: "kept" } } })]).toEqual([true, false]);
  });
});

describe("rows are chosen", () => {
  const all = sources();
  const idsFor = (...names: string[]) => chosenSources(all, names).map(({ about }) => about.id);

  it("by their name, with or without its first word", () => {
    expect(idsFor("ai-sdk")).toEqual(["peers/ai-sdk"]);
    expect(idsFor("pi")).toEqual(["peers/pi", "agents/pi"]);
    expect(idsFor("agents/pi", "mastra")).toEqual(["peers/mastra", "agents/pi"]);
    expect(chosenSources(all, undefined)).toEqual(all);
  });
  it("or refused, with the nearest name", () => {
    expect(() => idsFor("ai-sdkk")).toThrow(/no row is called ai-sdkk; .*peers\/ai-sdk/);
    expect(() => idsFor("")).toThrow(/no row is called ""/);
  });
});

it.each([
  ["# It forgets.\n# Shows: SESSION-27, TOOL-3\n", ["SESSION-27", "TOOL-3"]],
  ["// It forgets.\nimport x;\n// Shows: LOOP-9", []],
  ["", []],
])("%j shows %j", (text, ids) => {
  expect(requirementsShown(text)).toEqual(ids);
});

it("shortens a text in its middle, and counts what it leaves out", () => {
  const text = `${"a".repeat(90)}${"b".repeat(90)}`;
  expect(shortened("short", 10)).toBe("short");
  expect(shortened(text, 100)).toBe(`${"a".repeat(45)}\n… 80 characters left out …\n${"b".repeat(55)}`);
});

it("calls a next message broken for an essential requirement only", () => {
  const result = (requirement: string): VariantResult => ({
    check: "next-message/tool-throws#SESSION-26",
    case: "next-message/tool-throws",
    requirement: "SESSION-26",
    variant: "openai-chat/json",
    verdict: "fail",
    duration_ms: 1,
    findings: [{ requirement, verdict: "broken", message: "it is gone" }],
  });
  const requirements = new Map([
    ["SESSION-26", { level: "essential" }],
    ["EVENT-1", { level: "portable" }],
  ]) as never;
  expect(nextMessages([result("SESSION-26")], { requirements })).toEqual({
    "tool-throws": { "openai-chat/json": { outcome: "broken", requirements: ["SESSION-26"], sentence: "it is gone" } },
  });
  expect(nextMessages([result("EVENT-1")], { requirements })).toEqual({
    "tool-throws": { "openai-chat/json": { outcome: "kept" } },
  });
});

it("says why nothing was seen with the providers that a loop speaks to, not with the others", async () => {
  type Judged = Pick<VariantResult, "verdict" | "reason">;
  const about = (requirement: string, variant: string, judged: Judged): VariantResult => {
    return { check: `a/case#${requirement}`, case: "a/case", requirement, variant, duration_ms: 1, ...judged };
  };
  const undeclared = { verdict: "unsupported", reason: "the driver does not declare it" } as const;
  const variants = [
    about("LOOP-5", "gemini/json", { verdict: "pass" }),
    about("PROVIDER-12", "gemini/json", { verdict: "not-applicable", reason: "it is taken" }),
    about("PROVIDER-12", "openai-chat/json", undeclared),
    about("PROVIDER-12", "openai-chat/sse", undeclared),
    about("CHAT-3", "openai-chat/json", undeclared),
  ];
  const cells = cellsOf({ variants }, await sharedSuite(), []);
  expect(cells["PROVIDER-12"]).toMatchObject({ outcome: "not_seen", reason: "it is taken" });
  expect(cells["CHAT-3"]).toMatchObject({ outcome: "not_seen", reason: "the driver does not declare it" });
});

describe("a breach", () => {
  const matrix = sampleMatrix([sampleRow(), sampleRow("peers/pi"), sampleRow("agents/pi")]);

  it("is found by row and requirement", () => {
    expect(findBreach(matrix, "some-framework/LOOP-9").row.id).toBe("peers/some-framework");
    expect(findBreach(matrix, "agents/pi/LOOP-9").row.id).toBe("agents/pi");
  });
  it.each([
    ["", /names no breach; expected a row and a requirement, such as ai-sdk\/LOOP-9/],
    ["LOOP-9", /names no breach/],
    ["some-framework/loop", /names no breach/],
    ["nobody/LOOP-9", /no row is called nobody/],
    ["pi/LOOP-9", /pi names peers\/pi and agents\/pi/],
    ["some-framework/LOOP-1", /has no LOOP-1; it breaks LOOP-9/],
    ["some-framework/LOOP-18", /no script shows LOOP-18 of peers\/some-framework/],
    ["some-framework/SESSION-26", /does not break SESSION-26: not expressible; it breaks LOOP-9/],
  ])("%j is refused with what to do", (named, message) => {
    expect(() => findBreach(matrix, named)).toThrow(message);
  });
  it("becomes a report that can be sent: versions, what happens, why it hurts, the script, and how to run it", () => {
    writeFileSync(join(folder, "x.mjs"), "// Half of a command is executed.\n// Shows: LOOP-9\nprocess.exit(1);\n");
    const breach = findBreach(matrix, "some-framework/LOOP-9");
    const script = { file: "x.mjs", shows: true, exit: 1, output: "EXECUTED {}" };
    const text = issueText({ ...breach, cell: { ...breach.cell, scripts: [script] } }, folder);
    expect(text.split("\n")[0]).toBe("# Half of a command is executed");
    for (const part of [
      "**Versions.** x x.",
      "**What happens.** Half of a command is executed",
      "**Why it hurts.** x",
      "**Expected.** x",
      "**Actual.** EXECUTED {}",
    ])
      expect(text).toContain(part);
    expect(text).toContain("npm install --ignore-scripts x@x\nnode bug.mjs");
    expect(text).toContain("```js\n// Half of a command is executed.\n// Shows: LOOP-9\n");
    expect(text).toContain("process.exit(1);\n```");
    expect(text).toContain("two weeks");
  });
});

it("names the loops of others that break a requirement, most often broken first, and never one of this project", () => {
  const rows = [sampleRow(), sampleRow("agents/other"), sampleRow("own/reference")];
  rows[1]!.cells = { ...rows[1]!.cells, "TOOL-3": rows[1]!.cells!["LOOP-9"]! };
  const broken = brokenByOthers({ rows }, ["TOOL-3", "LOOP-9", "LOOP-18", "SESSION-26", "LOOP-9"]);
  expect(broken.map(brokenWords)).toEqual(["LOOP-9 by Some Framework x x and 1 other", "TOOL-3 by Some Framework x x"]);
  expect(brokenLines(broken[1]!)).toEqual([
    "Loops that break TOOL-3, measured 2026-11-01, each with a script that shows it:",
    "  Some Framework x x",
  ]);
});
