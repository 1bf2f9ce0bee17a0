// No requirement is judged by nothing: each has a case, or says how else it is judged.

import { expect, it } from "vitest";
import { sharedSuite } from "../kit/testing/shared-suite.ts";
import { judgementMistakes, readJudgements, requirementsInTitles } from "./judged-page.ts";

const suite = await sharedSuite();
const judgements = readJudgements();

it("spec/judged.json says it of every requirement without a case, and of no other", () => {
  expect(judgementMistakes(suite, judgements)).toEqual([]);
});

it.each([
  ["one that is left out", "SESSION-18", undefined, /SESSION-18 has no case/],
  ["one that has cases", "LOOP-9", { every_case: true }, /LOOP-9 is tested by cases/],
  ["one that does not exist", "LOOP-0", { every_case: true }, /there is no requirement LOOP-0/],
  ["two ways at once", "SESSION-18", { every_case: true, reading: "Is it so?" }, /exactly one way/],
  ["a list of no tests", "SESSION-18", { tests: [] }, /exactly one way/],
  ["a file that does not exist", "SESSION-18", { tests: ["nowhere.test.ts"] }, /no file nowhere\.test\.ts/],
  [
    "a file in which no test names it",
    "SESSION-18",
    { tests: ["conformance/dev/judged-page.test.ts"] },
    /SESSION-18: no test of conformance\/dev\/judged-page\.test\.ts names it/,
  ],
  ["cases of what has none", "SESSION-18", { cases_of: ["SESSION-19"] }, /no case tests SESSION-19/],
] as const)("%s is found", (_, id, judgement, message) => {
  const { [id]: __, ...others } = judgements;
  const changed = judgement === undefined ? others : { ...others, [id]: judgement };
  expect(judgementMistakes(suite, changed as typeof judgements)).toEqual([expect.stringMatching(message)]);
});

it.each([
  ["a test", `it("ends [LOOP-9]", () => {})`, ["LOOP-9"]],
  ["several requirements", `test("ends [LOOP-9, KIT-2]", () => {})`, ["LOOP-9", "KIT-2"]],
  ["a test of its own line", `it(\n  "ends [LOOP-9]",\n  () => {})`, ["LOOP-9"]],
  ["what makes tests of a table", `it.each([["x [KIT-2]"]])("%s [LOOP-9]", (x) => {})`, ["LOOP-9"]],
  ["what makes typed tests of a table", `it.each<[a: string]>(rows)("%s [LOOP-9]", (x) => {})`, ["LOOP-9"]],
  ["a test that runs where it can", `it.skipIf(x)("ends [LOOP-9]", () => {})`, ["LOOP-9"]],
  ["a test that is skipped", `it.skip("ends [LOOP-9]", () => {}); it.todo("ends [LOOP-10]", 1)`, []],
  ["a group of tests", `describe("ends [LOOP-9]", () => {})`, []],
  ["a comment, and what is not at the end", `// [LOOP-9]\nit("[LOOP-10] ends", () => {})`, []],
])("of %s the titles are read", (_, text, ids) => {
  expect([...requirementsInTitles(text)]).toEqual(ids);
});
