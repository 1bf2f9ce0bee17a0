// Arguments, digits, Unicode and names, as both wire formats need them.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exactText, legalName, losesDigits, parseArguments, parseExactly } from "./arguments.ts";
import { wellFormed } from "../../support/well-formed.ts";

describe("arguments", () => {
  test.each([
    ["", { input: {} }],
    [" \n", { input: {} }],
    ['{"a":1}', { input: { a: 1 } }],
    ["null", { input: null, raw_input: "null" }],
    ["[1]", { input: null, raw_input: "[1]" }],
    ['"{}"', { input: null, raw_input: '"{}"' }],
    ['{"path": "/et', { input: null, raw_input: '{"path": "/et' }],
    ['{"a":1}{"b":2}', { input: null, raw_input: '{"a":1}{"b":2}' }],
    ['{"id":"12345678901234567890"}', { input: { id: "12345678901234567890" } }],
  ])("%j are read as %o", (text, expected) => {
    expect(parseArguments(text)).toEqual(expected);
  });

  test("keep the digits of numbers that a double cannot hold", () => {
    const text = '{"id": 12345678901234567890}';
    const read = parseArguments(text);
    expect(read.raw_input).toBe(text);
    expect(JSON.stringify(parseExactly(text))).toBe('{"id":12345678901234567890}');
    expect(exactText({ type: "tool_call", id: "c", name: "n", ...read })).toBe(text);
  });

  test("are not sent as they were once somebody changed the input", () => {
    const call = { type: "tool_call", id: "c", name: "n", input: { id: 1 }, raw_input: '{"id":12345678901234567890}' };
    expect(exactText(call as Parameters<typeof exactText>[0])).toBeUndefined();
  });

  test("lose digits exactly where a whole number is not written again as it was", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), (number) => {
        expect(losesDigits(`{"n":[${number}]}`)).toBe(
          BigInt(Number(number).toLocaleString("en", { useGrouping: false })) !== number,
        );
      }),
    );
  });
});

describe("numbers of arguments", () => {
  test.each(['{"n":0.1}', '{"n":1.0}', '{"n":1.50e3}', '{"n":-0.0}', '{"n":"0.12345678901234567890"}', '{"n":1e-7}'])(
    "that a double holds are in the input alone: %s",
    (text) => expect(parseArguments(text)).toEqual({ input: JSON.parse(text) as unknown }),
  );

  test.each(['{"n":0.12345678901234567890}', '{"n":1e-400}', '{"n":[123456789012345678e2]}'])(
    "that a double rounds are kept as written: %s",
    (text) => expect(parseArguments(text)).toEqual({ input: JSON.parse(text) as unknown, raw_input: text }),
  );

  test.each(['{"n":1e400}', '{"n":[-1E+309]}'])("that no double is near to make them unreadable: %s", (text) => {
    expect(parseArguments(text)).toEqual({ input: null, raw_input: text });
  });
});

describe("Unicode", () => {
  test("has no half of a pair left", () => {
    expect(wellFormed({ "a\ud800": ["x\udc00y", { deep: "\ud83d\ude00" }] })).toEqual({
      "a\ufffd": ["x\ufffdy", { deep: "\ud83d\ude00" }],
    });
  });

  test("that is well formed is not touched", () => {
    const plain = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
    fc.assert(
      fc.property(plain, (value) => {
        expect(wellFormed(value)).toEqual(value);
      }),
    );
  });
});

describe("names", () => {
  const legal = /^[a-zA-Z0-9_-]+$/;

  test("that are legal stay", () => {
    expect(legalName("toolu_1", legal, 40)).toBe("toolu_1");
  });

  test("that are not become legal, short, and stay apart", () => {
    const bad = fc.string().filter((name) => name.length > 40 || !legal.test(name));
    fc.assert(
      fc.property(bad, bad, (one, other) => {
        const mapped = legalName(one, legal, 40);
        expect(mapped).toMatch(/^[a-zA-Z0-9_-]{1,40}$/);
        expect(legalName(one, legal, 40)).toBe(mapped);
        if (one !== other) expect(legalName(other, legal, 40)).not.toBe(mapped);
      }),
    );
  });
});

test("arguments in which two names become one are unreadable [TOOL-47]", () => {
  const merging = String.raw`{"a":[{"\ud800":1,"\ud801":2}]}`;
  expect(parseArguments(merging)).toEqual({ input: null, raw_input: merging });
  expect(parseArguments(String.raw`{"\ud800":1,"b":2}`).input).not.toBeNull();
});
