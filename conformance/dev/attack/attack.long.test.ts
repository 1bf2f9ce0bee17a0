// Two rounds of every attack on the server; an hour of them is `npm run attack -- --minutes 60`.

import { expect, test } from "vitest";
import { besiege, growthOf } from "./siege.ts";

test("the server bears every attack, and answers afterwards as before", { timeout: 180_000 }, async () => {
  const { answers, costs, problems } = await besiege(20260101, (rounds) => rounds < 2);
  expect(problems).toEqual([]);
  expect(costs).toHaveLength(2);
  // Refused for its sender, its content, its size and its path, and answered.
  expect(Object.keys(answers)).toEqual(expect.arrayContaining(["200", "400", "403", "404"]));
});

test("what a server holds more and more of is growth, and what it held from the beginning is none", () => {
  const cost = (heapBytes: number) => ({ heapBytes, handles: 3, computedMs: 0, stillMs: 0 });
  expect(growthOf(Array.from({ length: 100 }, (_, at) => cost(at * 1000))).heapBytes).toBeGreaterThan(50_000);
  expect(growthOf(Array.from({ length: 100 }, () => cost(5_000_000))).heapBytes).toBe(0);
});
