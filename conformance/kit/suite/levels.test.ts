// Levels include those before them, and what is broken is read in the order in which it hurts.

import { expect, it } from "vitest";
import { isWithin, levels, rankOf } from "./levels.ts";

it("each level includes those before it, and what the kit relies on", () => {
  for (const [index, judged] of levels.entries()) {
    expect(levels.filter((level) => isWithin(level, judged))).toEqual(levels.slice(0, index + 1));
    expect(isWithin("kit", judged)).toBe(true);
  }
  expect(levels.every((level) => isWithin(level, undefined))).toBe(true);
});

it("executions that nobody asked for come first, then level by level", () => {
  const order = [
    { level: "essential", severity: "executes" },
    { level: "essential", severity: "misreports" },
    { level: "core" },
    { level: "portable" },
    { level: "feature" },
    { level: "kit" },
  ] as const;
  expect(order.toReversed().toSorted((left, right) => rankOf(left) - rankOf(right))).toEqual(order);
});
