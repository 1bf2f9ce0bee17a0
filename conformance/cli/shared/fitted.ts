// Fits lines that people read into a terminal that is narrower than they are.

import { stripVTControlCharacters } from "node:util";

/** What is copied stays in one line: commands, JSON, and what goes over the wire. */
const copied = /agent-loop|^\s*(?:[←→]\s*)?[{[]/;

/**
 * Lines no longer than the terminal, broken between words. A line of a paragraph that is too long is filled up with the next one,
 * and what is indented stays indented.
 * @param columns how wide the terminal is; undefined where no terminal reads: then the lines are as they were
 */
export function fitted(lines: Iterable<string>, columns: number | undefined): string[] {
  if (columns === undefined) return [...lines];
  return paragraphs(lines, columns).flatMap((line) => (copied.test(line) ? [line] : wrapped(line, columns)));
}

/** Lines that end only because the text was written so wide are one line with what follows them. */
function paragraphs(lines: Iterable<string>, columns: number): string[] {
  const joined: string[] = [];
  let previous = "";
  for (const line of lines) {
    if (isProse(previous) && isProse(line) && widthOf(previous) > Math.max(columns, widest - 15))
      joined.push(`${joined.pop()} ${line}`);
    else joined.push(line);
    previous = line;
  }
  return joined;
}

/** The widest lines of the texts of the course. */
const widest = 118;

function isProse(line: string): boolean {
  return /^[\p{L}"'`*]/u.test(line) && !copied.test(line);
}

function wrapped(line: string, columns: number): string[] {
  if (widthOf(line) <= columns) return [line];
  const [indent = ""] = /^\s*/.exec(line)!;
  const lines: string[] = [];
  for (const word of line.slice(indent.length).split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || widthOf(last) + 1 + widthOf(word) > columns) lines.push(`${indent}${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

function widthOf(text: string): number {
  return Array.from(stripVTControlCharacters(text)).length;
}
