// Tests that money is exact: the laws of arithmetic, and an oracle in whole billionths.

import fc from "fast-check";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { validate } from "../../conformance/kit/base/validate.ts";
import { UNKNOWN } from "../core/usage.ts";
import { costOf, isAtLeast, isMoney, sumOf } from "./money.ts";
import type { Price, PriceTable, Usage } from "../../schemas/types.ts";

const used = (usage: Partial<Usage>): Usage => ({ ...UNKNOWN, ...usage });
const price: Price = { input: "3", output: "15", cache_read: "0.30", cache_write: "3.75" };

describe("what tokens cost", () => {
  it.each<[string, Usage, Price, string | null]>([
    ["input and output", used({ input_tokens: 1_000_000, output_tokens: 100_000 }), price, "4.5"],
    ["one token", used({ input_tokens: 1, output_tokens: 0 }), price, "0.000003"],
    ["nothing", used({ input_tokens: 0, output_tokens: 0 }), price, "0"],
    ["nothing, whatever the price", used({ input_tokens: 0, output_tokens: 0 }), { input: "0.00", output: "0" }, "0"],
    [
      "cache reads and writes instead of input",
      used({ input_tokens: 100, output_tokens: 0, cache_read_tokens: 60, cache_write_tokens: 30 }),
      { input: "1000000", output: "0", cache_read: "10000", cache_write: "2000000" },
      "70.6",
    ],
    [
      "cache tokens without a price of their own as input",
      used({ input_tokens: 100, output_tokens: 0, cache_read_tokens: 60, cache_write_tokens: 30 }),
      { input: "1000000", output: "0" },
      "100",
    ],
    [
      "more cache tokens than input: never less than what they cost",
      used({ input_tokens: 10, output_tokens: 0, cache_read_tokens: 60 }),
      { input: "1000000", output: "0", cache_read: "500000" },
      "30",
    ],
    [
      "every token of a long prompt at the price of long prompts, those from a cache included",
      used({ input_tokens: 101, output_tokens: 10, cache_read_tokens: 60 }),
      { ...price, long_prompt: { above: 100, input: "1000000", output: "2000000", cache_read: "100000" } },
      "67",
    ],
    [
      "a prompt that is not longer than that as any other",
      used({ input_tokens: 100, output_tokens: 0 }),
      { input: "1000000", output: "0", long_prompt: { above: 100, input: "7000000", output: "0" } },
      "100",
    ],
    ["unknown input", used({ output_tokens: 5 }), price, null],
    ["unknown output", used({ input_tokens: 5 }), price, null],
    ["a number of tokens that is none", used({ input_tokens: 1.5, output_tokens: 5 }), price, null],
    ["a number of tokens below zero", used({ input_tokens: 5, output_tokens: -5 }), price, null],
  ])("%s", (_, usage, at, cost) => {
    expect(costOf(usage, at)).toBe(cost);
  });

  it("is exact where floating point is not", () => {
    expect(0.1 + 0.2).not.toBe(0.3);
    const tenths = costOf(used({ input_tokens: 1, output_tokens: 2 }), { input: "100000", output: "100000" });
    expect(tenths).toBe("0.3");
    expect(sumOf(["0.1", "0.2"])).toBe("0.3");
    expect(isAtLeast(sumOf(["0.1", "0.7"])!, "0.8")).toBe(true);
    expect(0.1 + 0.7 >= 0.8).toBe(false);
  });

  it("explains an invalid price", () => {
    const usage = used({ input_tokens: 1, output_tokens: 1 });
    expect(() => costOf(usage, { input: "1e3", output: "1" })).toThrow(/decimal number such as "0.25", not "1e3"/);
    expect(["0", "0.5", "12.50"].map(isMoney)).toEqual([true, true, true]);
    expect(["", ".5", "1.", "-1", "+1", "1e3", "0x1", " 1", "1,5", "1\n"].map(isMoney)).not.toContain(true);
  });
});

describe("sums", () => {
  it("are unknown if any cost is", () => {
    expect(sumOf(["1", null, "2"])).toBe(null);
  });

  it("of no costs are zero", () => {
    expect(sumOf([])).toBe("0");
  });

  it("are in canonical form", () => {
    expect(sumOf(["007.500"])).toBe("7.5");
    expect(sumOf(["0.000"])).toBe("0");
    expect(sumOf(["100"])).toBe("100");
    expect(sumOf(["0.05"])).toBe("0.05");
  });
});

/** Whole billionths, up to the largest safe integer. */
const billionths = fc.integer({ min: 0, max: 2 ** 52 });
const text = (amount: number) => written(String(amount), 9);
const money = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 20 }))
  .map(([units, places]) => written(String(units), places));
const tokens = fc.integer({ min: 0, max: 2 ** 40 });

function written(digits: string, places: number): string {
  const padded = digits.padStart(places + 1, "0");
  return places === 0 ? padded : `${padded.slice(0, -places)}.${padded.slice(-places)}`;
}

describe("for any amounts", () => {
  const canonical = /^(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/;

  it("a sum equals that of its billionths, in canonical form", () => {
    fc.assert(
      fc.property(billionths, billionths, (a, b) => {
        const sum = sumOf([text(a), text(b)])!;
        expect(sum).toMatch(canonical);
        expect(Number(sum.replace(".", "") + "0".repeat(9 - (sum.split(".")[1] ?? "").length))).toBe(a + b);
      }),
    );
  });

  it("sums are commutative and associative", () => {
    fc.assert(
      fc.property(fc.array(money), fc.array(money), (some, others) => {
        const whole = sumOf([...some, ...others]);
        expect(whole).toMatch(canonical);
        expect(sumOf([...others, ...some])).toBe(whole);
        expect(sumOf([sumOf(some), sumOf(others)])).toBe(whole);
      }),
    );
  });

  it("one is at least the other as its billionths are", () => {
    fc.assert(
      fc.property(billionths, billionths, (a, b) => {
        expect(isAtLeast(text(a), text(b))).toBe(a >= b);
        expect(isAtLeast(text(a), text(a))).toBe(true);
      }),
    );
  });

  it("a sum is at least each of its parts", () => {
    fc.assert(fc.property(money, money, (a, b) => isAtLeast(sumOf([a, b])!, a)));
  });

  it("two calls cost together what one call with the tokens of both costs", () => {
    fc.assert(
      fc.property(tokens, tokens, tokens, tokens, money, money, (a, b, c, d, input, output) => {
        const cost = (input_tokens: number, output_tokens: number) =>
          costOf(used({ input_tokens, output_tokens }), { input, output });
        expect(sumOf([cost(a, b), cost(c, d)])).toBe(cost(a + c, b + d));
      }),
    );
  });

  it("a million tokens cost their price", () => {
    fc.assert(
      fc.property(money, money, (input, output) => {
        const million = used({ input_tokens: 1_000_000, output_tokens: 1_000_000 });
        expect(costOf(million, { input, output })).toBe(sumOf([input, output]));
      }),
    );
  });

  it("a call costs tokens times price, in billionths", () => {
    const few = fc.integer({ min: 0, max: 2 ** 22 });
    fc.assert(
      fc.property(few, few, (count, thousandths) => {
        const at = { input: written(String(thousandths), 3), output: "0" };
        expect(costOf(used({ input_tokens: count, output_tokens: 0 }), at)).toBe(sumOf([text(count * thousandths)]));
      }),
    );
  });
});

describe("the price list that is shipped", () => {
  const table = JSON.parse(readFileSync(new URL("../prices.json", import.meta.url), "utf8")) as PriceTable;
  const entries = Object.entries(table.models);

  it("is a price table with a date", () => {
    expect(validate("PriceTable", table)).toEqual([]);
    expect(table.date).toBeDefined();
  });

  it("names the source of each price", () => {
    for (const [, { source }] of entries) expect(source).toMatch(/^https:\/\//);
  });

  it("has prices in canonical form, output above input, cache reads not", () => {
    const lists = entries.flatMap(([, { source: _, long_prompt, ...list }]) => {
      const { above: _above, ...long } = long_prompt ?? { ...list, above: 0 };
      return [list, long];
    });
    for (const prices of lists) {
      for (const one of Object.values(prices)) expect(sumOf([one])).toBe(one);
      expect(isAtLeast(prices.output, prices.input)).toBe(true);
      expect(isAtLeast(prices.input, prices.cache_read ?? "0")).toBe(true);
    }
  });
});
