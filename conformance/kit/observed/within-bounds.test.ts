// What the kit expects of responses that go beyond the bounds of a run.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Case, Message } from "../../../schemas/types.ts";
import { withinBounds } from "./within-bounds.ts";

const kase = (bounds?: object, features = ["bounds"]) =>
  ({ features, given: { options: { bounds } } }) as unknown as Case;
const call = (input: object): Message => ({ type: "tool_call", id: "c", name: "t", input: { ...input } });

test("arguments nested deeper than the bound are their text", () => {
  const messages = [call({ a: { b: 1 } }), call({ a: [[1]] })];
  expect(withinBounds(messages, kase({ depth: 2 }))).toEqual([
    messages[0],
    { type: "tool_call", id: "c", name: "t", input: null, raw_input: '{"a":[[1]]}' },
  ]);
});

test.each([
  ["a call too many", { calls: 1 }, [call({}), call({})]],
  ["an item nested too deep", { depth: 1 }, [{ type: "provider_item", provider: "p", item: { a: [] } } as Message]],
  ["bytes, which only the case knows", { body_bytes: 10 }, []],
])("%s leaves the ending to the case", (_what, bounds, messages) => {
  expect(withinBounds(messages, kase(bounds))).toBeUndefined();
});

test("a case without the feature has no bounds", () => {
  const messages = [call({ a: [[1]] })];
  expect(withinBounds(messages, kase({ depth: 1 }, []))).toBe(messages);
});

test("the defaults are those of the spec", () => {
  const { depth, calls } = JSON.parse(
    readFileSync(new URL("../../../spec/bounds.json", import.meta.url), "utf8"),
  ) as Record<string, { default: number }>;
  const nested = (levels: number): Record<string, unknown> => (levels === 1 ? {} : { a: nested(levels - 1) });
  const [kept, cut] = withinBounds([call(nested(depth!.default)), call(nested(depth!.default + 1))], kase())!;
  expect([kept, cut]).toMatchObject([{ input: {} }, { input: null }]);
  expect(
    withinBounds(
      Array.from({ length: calls!.default + 1 }, () => call({})),
      kase(),
    ),
  ).toBeUndefined();
  expect(
    withinBounds(
      Array.from({ length: calls!.default }, () => call({})),
      kase(),
    ),
  ).toHaveLength(calls!.default);
});
