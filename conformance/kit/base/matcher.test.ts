// Each matcher is shown accepting and rejecting, so that a matcher that accepts everything cannot slip in.

import { describe, expect, it } from "vitest";
import { match } from "./matcher.ts";
import type { MatchContext } from "./matcher.ts";

function context(bindings: Record<string, string> = {}, policies: Record<string, string> = {}): MatchContext {
  return { bindings: new Map(Object.entries(bindings)), policies };
}

const accepts = (expected: unknown, received: unknown, with_ = context()) =>
  expect(match(expected, received, with_)).toEqual([]);

function rejects(expected: unknown, received: unknown, path: string, message: RegExp, with_ = context()): void {
  const [first] = match(expected, received, with_);
  expect(first, "a mismatch").toBeDefined();
  expect(first?.path).toBe(path);
  expect(first?.message).toMatch(message);
}

describe("plain data", () => {
  it("takes objects by subset", () => {
    accepts({ a: 1 }, { a: 1, b: 2 });
    rejects({ a: 1, b: 2 }, { a: 1 }, "/b", /missing/);
  });
  it("takes lists whole", () => {
    accepts([1, { a: 1 }], [1, { a: 1, b: 2 }]);
    rejects([1], [1, 2], "/1", /is an extra/);
    rejects([1, 2], [1], "/1", /missing/);
    rejects([1, 2], [2, 1], "/0", /differs/);
    rejects([1], { 0: 1 }, "", /not a list/);
  });
  it("takes null as a value, and not as absence", () => {
    accepts({ a: null }, { a: null });
    rejects({ a: null }, {}, "/a", /missing/);
    rejects({ a: null }, { a: 0 }, "/a", /differs/);
    rejects(null, undefined, "", /missing/);
  });
  it("does not mix types", () => {
    rejects("1", 1, "", /differs/);
    rejects({ a: 1 }, "a", "", /not an object/);
    rejects({ a: 1 }, [1], "", /not an object/);
    rejects(0, false, "", /differs/);
  });
  it("reports every mismatch, not only the first", () => {
    expect(match({ a: 1, b: [1, 2] }, { a: 2, b: [3, 4] }, context()).map(({ path }) => path)).toEqual([
      "/a",
      "/b/0",
      "/b/1",
    ]);
  });
  it("escapes pointers", () => rejects({ "a/b~c": 1 }, { "a/b~c": 2 }, "/a~1b~0c", /differs/));
  it("reads a literal leading $ as $$", () => {
    accepts({ price: "$$5", $$ref: 1 }, { price: "$5", $ref: 1 });
    rejects("$$5", "$$5", "", /differs/);
  });
});

describe("matchers", () => {
  it("$any", () => {
    accepts({ a: { $any: true } }, { a: null });
    rejects({ a: { $any: true } }, {}, "/a", /missing/);
  });
  it("$type", () => {
    accepts({ $type: "string" }, "x");
    accepts({ $type: "number" }, 1);
    accepts({ $type: "integer" }, 1);
    accepts({ $type: ["null", "array"] }, []);
    accepts({ $type: "object" }, {});
    rejects({ $type: "integer" }, 1.5, "", /type number/);
    rejects({ $type: "object" }, null, "", /type null/);
    rejects({ $type: "object" }, [], "", /type array/);
    rejects({ $type: "string" }, undefined, "", /missing/);
  });
  it("$match", () => {
    accepts({ $match: "^a.c$" }, "abc");
    rejects({ $match: "^a.c$" }, "abd", "", /pattern/);
    rejects({ $match: "1" }, 1, "", /not a string/);
  });
  it("$contains on text", () => {
    accepts({ $contains: "b" }, "abc");
    rejects({ $contains: "d" }, "abc", "", /does not contain/);
    rejects({ $contains: "d" }, 4, "", /neither/);
  });
  it("$contains on lists keeps the order", () => {
    accepts({ $contains: [{ a: 1 }, { a: 3 }] }, [{ a: 1 }, { a: 2 }, { a: 3 }]);
    accepts({ $contains: { a: 2 } }, [{ a: 1 }, { a: 2 }]);
    rejects({ $contains: [3, 1] }, [1, 2, 3], "/$contains/1", /not after/);
    rejects({ $contains: [4] }, [1, 2, 3], "/$contains/0", /not in the list/);
    rejects({ $contains: [1, 1] }, [1, 2], "/$contains/1", /not after/);
  });
  it("$contains with $unordered forgets the order", () => {
    accepts({ $contains: { $unordered: [3, 1] } }, [1, 2, 3]);
    rejects({ $contains: { $unordered: [3, 4] } }, [1, 2, 3], "", /lacks/);
  });
  it("$exact", () => {
    accepts({ $exact: { a: { b: 1 } } }, { a: { b: 1 } });
    rejects({ $exact: { a: { b: 1 } } }, { a: { b: 1, c: 2 } }, "/a/c", /is an extra/);
    rejects({ $exact: {} }, { a: 1 }, "/a", /is an extra/);
  });
  it("$unordered", () => {
    accepts({ $unordered: [{ a: 1 }, { a: 2 }] }, [{ a: 2 }, { a: 1 }]);
    rejects({ $unordered: [1, 2] }, [1, 2, 3], "", /3 entries instead of 2/);
    rejects({ $unordered: [1, 1] }, [1, 2], "", /pairing/);
    rejects({ $unordered: [1, 3] }, [1, 2], "", /lacks/);
  });
  it("$unordered finds the pairing that fits, not only the first", () => {
    accepts({ $unordered: [{ $type: "integer" }, 1] }, [1, 2]);
    accepts(
      {
        $unordered: [
          { id: "$x", n: 1 },
          { id: "$x", n: 2 },
        ],
      },
      [
        { id: "p", n: 2 },
        { id: "p", n: 1 },
      ],
    );
  });
  it("$absent", () => {
    accepts({ a: { $absent: true } }, { b: 1 });
    rejects({ a: { $absent: true } }, { a: null }, "/a", /must not be there/);
  });
  it("$not", () => {
    accepts({ a: { $not: 1 } }, { a: 2 });
    rejects({ a: { $not: 1 } }, { a: 1 }, "/a", /forbidden value/);
    rejects({ a: { $not: 1 } }, {}, "/a", /missing/);
    accepts({ a: { $not: { $absent: true } } }, { a: null });
  });
  it("$policy", () => {
    const expected = { $policy: { name: "on_empty", cases: { end: 1, retry: 2 } } };
    accepts(expected, 2, context({}, { on_empty: "retry" }));
    rejects(expected, 2, "", /differs/, context({}, { on_empty: "end" }));
    rejects(expected, 2, "", /declares nothing/);
  });
  it("throws on a matcher that the loader should have refused", () => {
    expect(() => match({ $bogus: 1 }, 1, context())).toThrow(/unknown matcher \$bogus/);
  });
});

describe("bindings", () => {
  it("demand the scripted value", () => {
    accepts({ id: "$a" }, { id: "call_1" }, context({ a: "call_1" }));
    rejects({ id: "$a" }, { id: "call_2" }, "/id", /not the id bound to \$a/, context({ a: "call_1" }));
  });
  it("bind on first sight and demand the same value afterwards", () => {
    const bound = context();
    accepts([{ id: "$x" }, { tool_call_id: "$x" }], [{ id: "n1" }, { tool_call_id: "n1" }], bound);
    expect(bound.bindings.get("x")).toBe("n1");
    rejects([{ id: "$x" }, { id: "$x" }], [{ id: "n1" }, { id: "n2" }], "/1/id", /\$x/);
  });
  it("bind only ids", () => {
    rejects({ id: "$x" }, { id: "" }, "/id", /not an id/);
    rejects({ id: "$x" }, { id: 3 }, "/id", /not an id/);
    rejects({ name: "$x" }, { name: "y" }, "/name", /differs/);
  });
  it("are forgotten where a pairing failed or a $not looked", () => {
    const bound = context();
    accepts(
      { $contains: [{ id: "$x", n: 2 }] },
      [
        { id: "a", n: 1 },
        { id: "b", n: 2 },
      ],
      bound,
    );
    expect(bound.bindings.get("x")).toBe("b");
    accepts({ $not: { id: "$y", n: 1 } }, { id: "a", n: 2 }, bound);
    expect(bound.bindings.has("y")).toBe(false);
  });
});
