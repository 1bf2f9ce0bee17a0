// Patterns of command lines: what a shell reads as more than text keeps commands apart. The syntax of shells is not parsed.

import { endOf, fits } from "./wildcard.ts";

/** Characters that a shell may read as more than text. */
const SEPARATOR = /([;&|<>$`(){}\\\r\n])/;

/**
 * Whether the whole command line matches the pattern, where `*` matches no separator: only commands that the pattern writes out.
 * @see PERMISSION-8
 */
export function isCommand(pattern: string, line: string): boolean {
  const expected = oneSpace(pattern).split(SEPARATOR); // text, separator, text, separator, …, text
  const parts = oneSpace(line).split(SEPARATOR);
  return (
    parts.length === expected.length &&
    parts.every((part, i) => (i % 2 ? part === expected[i] : fits(expected[i]!, part)))
  );
}

/**
 * Whether a part of the command line matches the pattern, from its beginning or a separator to its end or a separator.
 * @see PERMISSION-9
 */
export function hasCommand(pattern: string, line: string): boolean {
  const text = oneSpace(line);
  const [first = "", ...middle] = oneSpace(pattern).split("*");
  const last = middle.pop();
  if (last === undefined) return find(first, text, 0, (at, end) => begins(text, at) && ends(text, end)) !== undefined;
  const begun = first === "" ? 0 : find(first, text, 0, (at) => begins(text, at));
  const reached = begun === undefined ? undefined : endOf(middle, text, begun + first.length);
  if (reached === undefined) return false;
  return last === "" || find(last, text, reached, (_, end) => ends(text, end)) !== undefined;
}

/** Where a piece stands from `start` on, at a place that is accepted. */
function find(
  piece: string,
  text: string,
  start: number,
  accepts: (at: number, end: number) => boolean,
): number | undefined {
  for (let at = text.indexOf(piece, start); at >= 0; at = text.indexOf(piece, at + 1)) {
    if (accepts(at, at + piece.length)) return at;
    if (at === text.length) break; // an empty piece is found there again and again
  }
  return undefined;
}

/** At most one space in a row is left, so that one character says what is around it. */
function begins(text: string, at: number): boolean {
  const before = text[at - 1] === " " ? at - 2 : at - 1;
  return before < 0 || SEPARATOR.test(text[before]!);
}

function ends(text: string, end: number): boolean {
  const after = text[end] === " " ? end + 1 : end;
  return after >= text.length || SEPARATOR.test(text[after]!);
}

/** White space of any length and kind separates words in the same way. Line breaks separate commands. @see PERMISSION-31 */
function oneSpace(text: string): string {
  return text.replaceAll(/[ \t\v\f]+/g, " ");
}
