// Exact money: the cost of tokens, sums, differences and comparisons.
//
// Money is a decimal string, because 0.1 + 0.2 is 0.30000000000000004. The arithmetic of a run, products and sums of
// non-negative numbers, is a few lines on BigInt; the smallest maintained library, big.js, would add unused division,
// rounding and exponents to the import graph of every run.

import type { Price, Usage } from "../../schemas/types.ts";

/** `units` divided by ten to the power of `places`. */
interface Amount {
  units: bigint;
  places: number;
}

/** Prices are per million tokens: six more places. */
const PRICE_PLACES = 6;

/**
 * The cost of the tokens of one model call.
 * @returns null if a token count is unknown; unknown cache tokens count as 0
 * @throws a SyntaxError if a price is not a decimal number such as 0.25
 * @see RESULT-10 RESULT-12
 */
export function costOf(usage: Usage, price: Price): string | null {
  const { input_tokens: input, output_tokens: output } = usage;
  const read = usage.cache_read_tokens ?? 0;
  const written = usage.cache_write_tokens ?? 0;
  if (!isCount(input) || !isCount(output) || !isCount(read) || !isCount(written)) return null;
  const { long_prompt: long } = price;
  const at = long && input > long.above ? long : price;
  const uncached = Math.max(0, input - read - written);
  return asText(
    [
      product(uncached, at.input),
      product(read, at.cache_read ?? at.input),
      product(written, at.cache_write ?? at.input),
      product(output, at.output),
    ].reduce(plus),
  );
}

/**
 * The sum.
 * @returns null if one of the costs is unknown; "0" if there are none
 * @see RESULT-12
 */
export function sumOf(costs: readonly (string | null)[]): string | null {
  let sum: Amount = { units: 0n, places: 0 };
  for (const cost of costs) {
    if (cost === null) return null;
    sum = plus(sum, amount(cost));
  }
  return asText(sum);
}

/** `a` minus `b`, or "0" if `b` is greater. @see SUBAGENT-11 */
export function leftOf(a: string, b: string): string {
  const [one, other] = withSamePlaces(amount(a), amount(b));
  return asText({ units: one.units > other.units ? one.units - other.units : 0n, places: one.places });
}

/** Whether `a` is at least `b`. @see LOOP-57 */
export function isAtLeast(a: string, b: string): boolean {
  const [one, other] = withSamePlaces(amount(a), amount(b));
  return one.units >= other.units;
}

/** Whether a text is an amount of money: digits, optionally with a point and more digits. */
export function isMoney(text: string): boolean {
  return /^[0-9]+(\.[0-9]+)?$/.test(text);
}

function isCount(tokens: number | null): tokens is number {
  return Number.isSafeInteger(tokens) && tokens! >= 0;
}

function amount(text: string): Amount {
  if (!isMoney(text)) throw new SyntaxError(`Money is a decimal number such as "0.25", not ${JSON.stringify(text)}.`);
  const [whole = "", fraction = ""] = text.split(".");
  return { units: BigInt(whole + fraction), places: fraction.length };
}

function product(tokens: number, price: string): Amount {
  const { units, places } = amount(price);
  return { units: BigInt(tokens) * units, places: places + PRICE_PLACES };
}

function plus(a: Amount, b: Amount): Amount {
  const [one, other] = withSamePlaces(a, b);
  return { units: one.units + other.units, places: one.places };
}

function withSamePlaces(a: Amount, b: Amount): [Amount, Amount] {
  const places = Math.max(a.places, b.places);
  const widened = (one: Amount) => ({ units: one.units * 10n ** BigInt(places - one.places), places });
  return [widened(a), widened(b)];
}

/** The canonical form: no leading zeros, no trailing zeros after the point, no point without digits. */
function asText({ units, places }: Amount): string {
  const digits = units.toString().padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  const fraction = digits.slice(digits.length - places).replace(/0+$/, "");
  return fraction === "" ? whole : `${whole}.${fraction}`;
}
