// A score counts what could be tried, and names each change that nobody saw, with its place and what it was.

import type { MutantResult } from "@stryker-mutator/api/core";
import { expect, test } from "vitest";
import { scoreOf, scoreText } from "./score.ts";

const text = "const a = 1;\nif (a > 0) {\n  b();\n}\n";
const found = (status: MutantResult["status"], more: Partial<MutantResult> = {}): MutantResult => ({
  id: "1",
  fileName: "/p/f.ts",
  mutatorName: "M",
  location: { start: { line: 2, column: 5 }, end: { line: 2, column: 10 } },
  replacement: "a >= 0",
  status,
  ...more,
});
const block = { location: { start: { line: 2, column: 12 }, end: { line: 4, column: 2 } }, replacement: "{}" };

test("the score is of what could be tried, and what hangs was seen", () => {
  const results = [found("Killed"), found("Timeout"), found("Survived"), found("NoCoverage"), found("RuntimeError")];
  expect(scoreOf(results)).toBe(50);
});

test("each change that nobody saw is told with its place, before and after", () => {
  const broken = found("RuntimeError", { statusReason: "it hangs" });
  const results = [found("Killed"), found("Survived"), found("NoCoverage", block), broken];
  const scores = scoreText(
    results,
    () => text,
    (file) => file.replace("/p/", ""),
  );
  expect(scores.split("\n")).toEqual([
    "f.ts:2:5 a > 0 → a >= 0",
    "f.ts:2:12 { b(); } → {} (no test runs it)",
    "f.ts:2:5 a > 0 → a >= 0 (could not be tried: it hangs)",
    "33.3 % of 3 mutants: 1 killed, 0 timed out, 2 survived, 1 could not be tried",
  ]);
});
