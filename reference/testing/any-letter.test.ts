// Every letter can come up, and each is found again, or fast-check could not make a failing example smaller.

import fc from "fast-check";
import { expect, test } from "vitest";
import { anyLetter } from "./any-letter.ts";

test("strings of any letter are well formed, become smaller, and have the words that break programs", () => {
  const text = fc.string({ unit: anyLetter });
  const samples = fc.sample(text, { seed: 1, numRuns: 3000 });
  expect(samples.every((one) => one.isWellFormed())).toBe(true);
  expect(samples).toEqual(expect.arrayContaining(["__proto__"]));
  expect(samples.some((one) => /[\u{10000}-\u{10ffff}]/u.test(one))).toBe(true);
  const { counterexample } = fc.check(
    fc.property(text, (one) => [...one].length < 3),
    { seed: 1 },
  );
  expect(counterexample).toEqual(["aaa"]);
});

test.each(["a", "`", "\0", "\u{d7ff}", "\u{e000}", "\u{10ffff}", "\u{1f600}"])("%j is one of them", (letter) => {
  expect(anyLetter.canShrinkWithoutContext(letter)).toBe(true);
});

test.each(["", "ab", "\ud800", 1])("%j is not", (none) => {
  expect(anyLetter.canShrinkWithoutContext(none)).toBe(false);
});
