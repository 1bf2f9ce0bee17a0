// Lists that must have no two equal items are judged in bounded time, and as the keyword says.

import { expect, it } from "vitest";

import { validateInput } from "./validate-input.ts";

const unique = { type: "object", properties: { list: { type: "array", uniqueItems: true } } };
const either = { type: "object", properties: { list: { anyOf: [{ uniqueItems: true }, { minItems: 3 }] } } };
const numbered = (length: number) => Array.from({ length }, (_, i) => ({ i }));

it("takes lists whose items differ, however long", async () => {
  expect(await validateInput(unique, { list: numbered(20_000) })).toEqual([]);
  expect(await validateInput(unique, { list: [{ a: 1, b: [1] }, { a: 1, b: [2] }, "1", 1] })).toEqual([]);
}, 20_000); // item by item it takes minutes

it("refuses equal items, whatever the order of their names", async () => {
  expect(
    await validateInput(unique, {
      list: [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    }),
  ).toMatchObject([{ pointer: "/list" }]);
});

it("knows that equal items may be allowed elsewhere", async () => {
  expect(await validateInput(either, { list: [1, 1, 1] })).toEqual([]);
  expect(await validateInput(either, { list: [1, 1] })).not.toEqual([]);
});

it("does not compare thousands of items with one another", async () => {
  const [problem] = await validateInput(unique, { list: [...numbered(20_000), { i: 0 }] });
  expect(problem!.message).toContain("equal");
}, 20_000);

it("leaves a property alone that is called so", async () => {
  const schema = { type: "object", properties: { uniqueItems: { type: "boolean" } } };
  expect(await validateInput(schema, { uniqueItems: "yes" })).toMatchObject([{ pointer: "/uniqueItems" }]);
});
