// Every puzzle keeps its answer to itself, has one right choice, and explains it; what was seen is of the faults as they are.

import { describe, expect, test } from "vitest";
import type { VariantResult } from "../../../schemas/types.ts";
import { loadSuite } from "../../kit/index.ts";
import { answerLines, isRight, readAnswer, verdictLines } from "./answer.ts";
import { placeChoices, placeOf, requirementChoices, rightAnswers } from "./choices.ts";
import { editLines } from "../faults/edit.ts";
import { codeOf, fingerprintOf, readFaults } from "../faults/faults.ts";
import type { Fault } from "../faults/faults.ts";
import { puzzleLines, withoutIds } from "./puzzle.ts";
import { readRedCases, redCaseOf } from "./red-cases.ts";

const suite = await loadSuite();
const faults = readFaults();
const redCases = readRedCases(faults);
const playable = faults.filter(({ id }) => redCases[id] !== undefined);
const style = { color: false, columns: 120, most: 2 };
const fault = faults.find(({ id }) => id === "executes-calls-of-a-full-window")!;
const red = redCases[fault.id]!;

test("every fault has a code of its own", () => {
  expect(new Set(faults.map(codeOf)).size).toBe(faults.length);
});

test("every fault was seen, by a case of its requirement", () => {
  const unseen = faults.filter((one) => !playable.includes(one)).map(({ id }) => id);
  expect(unseen, "write them with: npm run mutants").toEqual([]);
  const wrong = playable.filter(
    (one) => suite.cases.find(({ id }) => id === redCases[one.id]!.case)?.case.requires[0] !== one.requirement,
  );
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

describe("a puzzle", () => {
  const pages = playable.map((one) => [one, [...puzzleLines(one, redCases[one.id]!, suite, style)]] as const);

  test("names neither a requirement nor its case nor its fault", () => {
    const names = [...suite.catalogue.requirements.keys()].map((id) => new RegExp(`\\b${id}\\b`));
    const telling = pages.filter(([one, lines]) => {
      const text = lines.join("\n");
      return (
        [one.id, redCases[one.id]!.case].some((name) => text.includes(name)) || names.some((name) => name.test(text))
      );
    });
    expect(telling.map(([{ id }]) => id)).toEqual([]);
  });

  test("says what is wrong, in few lines of 120 letters", () => {
    const wrong = pages.filter(
      ([, lines]) =>
        lines.length > 70 ||
        lines.some((line) => Array.from(line).length > 120) ||
        !lines.some((line) => line.startsWith("What the kit says")),
    );
    expect(wrong.map(([{ id }]) => id)).toEqual([]);
  });

  test("has four requirements and up to four places to choose from, of which one is right, always the same", () => {
    for (const one of playable) {
      const requirements = requirementChoices(one, redCases[one.id]!, faults, suite);
      expect(requirements).toEqual(requirementChoices(one, redCases[one.id]!, faults, suite));
      expect(new Set(requirements).size, one.id).toBe(4);
      expect(requirements.filter((id) => rightAnswers(one, redCases[one.id]!).includes(id))).toEqual([one.requirement]);
      const places = placeChoices(one, requirements, faults);
      expect([new Set(places).size, places.includes(placeOf(one))], one.id).toEqual([4, true]);
    }
  });

  test("hides what a message names", () => {
    expect(withoutIds("breaks LOOP-9 of stop/max-tokens-with-call at SHA-1", suite)).toBe(
      "breaks (a requirement) of (the case) at SHA-1",
    );
  });
});

describe("an answer", () => {
  const choices = requirementChoices(fault, red, faults, suite);
  const judged = (text: string) => isRight(readAnswer(text, choices, suite), fault, red);

  test("is a requirement or the number of a choice, and perhaps a place", () => {
    expect(judged("loop-9")).toBe(true);
    expect(judged(String(choices.indexOf("LOOP-9") + 1))).toBe(true);
    expect(judged("LOOP-9 stop-table")).toBe(true);
    expect(judged("LOOP-9 reference/core/stop-table.ts:12 stopTable")).toBe(true);
    expect(judged("LOOP-9 retry.ts")).toBe(false);
    expect(judged("LOOP-8")).toBe(false);
    for (const text of ["", "7", "LOOP-999", "who knows"])
      expect(() => readAnswer(text, choices, suite)).toThrow(
        /expected a requirement such as \S+, or a number from 1 to 4/,
      );
  });

  test("may be what the kit named, though the fault was planted for another", () => {
    const named = {
      ...red,
      failures: [{ code: "invariant", requirement: "SESSION-6", message: "a call has no answer" }],
    };
    const answer = readAnswer("SESSION-6", choices, suite);
    expect(isRight(answer, fault, named)).toBe(true);
    expect([...verdictLines(answer, fault, named, suite)][0]).toMatch(/^Right: the kit names SESSION-6, too.*LOOP-9/);
  });

  test("that is wrong is told what its requirement says", () => {
    const lines = [...verdictLines(readAnswer("LOOP-8 retry", choices, suite), fault, red, suite)];
    expect(lines).toEqual([
      "No: it is LOOP-9.",
      expect.stringMatching(/^LOOP-8 says something else: The loop MUST/),
      "It is not in retry.",
    ]);
  });

  test("is explained: the sentence, what a user would see, the edit, the case, the real bugs", () => {
    const text = [...answerLines(fault, red, suite, false)].join("\n");
    expect(text).toMatch(/^LOOP-9 {2}The loop MUST .*\n {2}Why: /);
    expect(text).toContain(`  What a user would see: ${fault.seen}`);
    expect(text).toMatch(
      /The edit:\n {4}reference\/core\/stop-table\.ts:\d+ {2}stopTable\n[^]*\n {4}- .*"recover"[^]*\n {4}\+ .*"execute"/,
    );
    expect(text).toContain(`  Found by:\n    ${red.case}  `);
    expect(text).toMatch(/Real bugs:\n {4}[a-z-]+ {2}/);
  });
});

test("an edit is shown as whole lines, and as what it is where the file is not there", () => {
  expect([...editLines({ ...fault, file: "reference/gone.ts", replace: "a ?? 3", by: "a ?? 1" })].slice(1)).toEqual([
    "- a ?? 3",
    "+ a ?? 1",
  ]);
});

describe("the red case that is kept", () => {
  const result = (variant: string, code: "assertion" | "driver_timeout", message: string): VariantResult => {
    const failures = [{ code, message, expected: "x", received: "y" }];
    return {
      check: "a/b#LOOP-9",
      case: "a/b",
      requirement: "LOOP-9",
      variant,
      verdict: "fail",
      duration_ms: 1,
      failures,
    };
  };

  test("says what is wrong rather than that something hangs, and is generic if it can be", () => {
    const results = [result("openai-chat/json", "assertion", "a"), result("generic", "driver_timeout", "b")];
    expect(redCaseOf(fault, results)).toMatchObject({ variant: "openai-chat/json" });
    expect(redCaseOf(fault, [...results, result("generic", "assertion", "longer")])).toEqual({
      fault: fingerprintOf(fault),
      case: "a/b",
      variant: "generic",
      failures: [{ code: "assertion", message: "longer", difference: ["- x", "+ y"] }],
      story: [],
    });
  });

  test("names no folder of the machine on which it was tried", () => {
    const message = "at file:///home/me/it/.cache/mutant-a1B2c3/reference/plugins/model/retry.ts:1";
    const { failures } = redCaseOf(fault, [result("generic", "assertion", message)]);
    expect(failures[0]!.message).toBe("at file:///reference/plugins/model/retry.ts:1");
  });

  test("is forgotten when the fault changes", () => {
    const changed: Fault = { ...fault, by: `${fault.by} ` };
    expect(readRedCases([changed])).toEqual({});
  });
});
