// A combination is the same whoever makes it, and each two ingredients meet.

import { describe, expect, it } from "vitest";
import { validate } from "../base/validate.ts";
import { allVariants, variantsOf } from "../suite/variant.ts";
import type { Variant } from "../suite/variant.ts";
import { combinationOf, ingredientNames, makeCombination, pairCount, variantsOfNumber } from "./make-combination.ts";

const numbers = Array.from({ length: pairCount }, (_, at) => at);
const all = numbers.map((number) => makeCombination(number));

describe("a combination", () => {
  it("is the same for the same number and ingredients [KIT-43]", () => {
    for (const number of [1, 77, 4711]) {
      const made = makeCombination(number, ["handoff"]);
      expect(made).toEqual(makeCombination(number, ["handoff"]));
      expect(made).toEqual(combinationOf(number, made.ingredients));
      expect(made.ingredients).toContain("handoff");
    }
    expect(makeCombination(1).case).not.toEqual(makeCombination(2).case);
  });

  it("keeps what an ingredient is like when another one is left out", () => {
    const both = combinationOf(5, ["turn limit", "handoff"]).case.given;
    const one = combinationOf(5, ["turn limit"]).case.given;
    expect(one.options).toEqual(both.options);
    expect(Object.keys(one.agents!)).toEqual(["first"]);
  });

  it("is a case that the schema takes", () => {
    for (const { case: source, number } of all) expect([number, validate("Case", source)]).toEqual([number, []]);
  });
});

it("lets each two ingredients meet, but those that say nothing beside each other [KIT-43]", () => {
  const met = new Set(
    all.flatMap(({ ingredients }) => ingredients.flatMap((one) => ingredients.map((other) => `${one}+${other}`))),
  );
  const missing = ingredientNames.flatMap((one, at) =>
    ingredientNames
      .slice(at + 1)
      .filter((other) => !met.has(`${one}+${other}`))
      .map((other) => `${one}+${other}`),
  );
  const possible = (ingredientNames.length * (ingredientNames.length - 1)) / 2;
  expect(missing).toHaveLength(possible - pairCount);
  expect(missing).toContain("structured output+output tool");
});

describe("the variant of a combination", () => {
  it("is the generic seam, and one of a provider in turn, so that all of them are played", () => {
    const some = numbers.slice(0, 20).flatMap(variantsOfNumber);
    expect(variantsOfNumber(1)[0]).toBe("generic");
    expect([...new Set(some)].sort()).toEqual(allVariants.map(({ name }) => name).sort());
  });

  it("is the only one on which its case is played", () => {
    const names = (variant: Variant["name"]) =>
      variantsOf(combinationOf(7, ["handoff"], variant).case).map(({ name }) => name);
    expect(names("generic")).toEqual(["generic"]);
    expect(names("openai-chat/json")).toEqual(["openai-chat/json"]);
  });

  it("leaves out what a loop may do differently on the wire", () => {
    expect(combinationOf(7, ["bound of calls", "handoff"], "openai-chat/sse").ingredients).toEqual(["handoff"]);
  });
});
