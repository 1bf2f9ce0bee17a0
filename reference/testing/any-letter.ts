// Any code point that is not half of a surrogate pair, as the unit of `fc.string`.

import fc from "fast-check";

const [firstHalf, halves, count] = [0xd800, 0x800, 0x110000 - 0x800];
/** Examples become smaller until they have only this. */
const simplest = "a".charCodeAt(0);

/**
 * What `unit: "binary"` gives: that makes a table of all letters first, which takes two seconds of a processor and a hundred megabytes
 * in each process.
 */
export const anyLetter = fc.nat(count - 1).map(letterAt, placeOf);

function letterAt(place: number): string {
  const point = (place + simplest) % count;
  return String.fromCodePoint(point < firstHalf ? point : point + halves);
}

/** @throws Error if it is not one letter; fast-check asks that of whatever it tries */
function placeOf(letter: unknown): number {
  const point = typeof letter === "string" ? letter.codePointAt(0) : undefined;
  if (
    point === undefined ||
    String.fromCodePoint(point) !== letter ||
    (point >= firstHalf && point < firstHalf + halves)
  )
    throw new Error(`expected one letter, got ${String(letter)}`);
  return ((point < firstHalf ? point : point - halves) - simplest + count) % count;
}
