// No requirement is judged by nothing: each has a case, or says how else it is judged.

import { expect, it } from "vitest";
import { loadSuite } from "../kit/index.ts";
import { judgementMistakes, readJudgements } from "./judged-page.ts";

const suite = await loadSuite();
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
  ["cases of what has none", "SESSION-18", { cases_of: ["SESSION-19"] }, /no case tests SESSION-19/],
] as const)("%s is found", (_, id, judgement, message) => {
  const { [id]: __, ...others } = judgements;
  const changed = judgement === undefined ? others : { ...others, [id]: judgement };
  expect(judgementMistakes(suite, changed as typeof judgements)).toEqual([expect.stringMatching(message)]);
});
