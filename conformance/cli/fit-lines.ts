// Breaks lines that are longer than a terminal, so that what belongs together stays under its indentation.

import { wrapped } from "../traffic/read/entry-lines.ts";

/** Fewer letters than these in a line cannot be read. */
const least = 20;

/** The lines of a text, none longer than the columns; what continues a line is indented by two more. */
export function fitLines(text: string, columns: number): string {
  return text
    .split("\n")
    .flatMap((line) => fitLine(line, columns))
    .join("\n");
}

function fitLine(line: string, columns: number): string[] {
  if (line.length <= columns) return [line];
  const indent = /^ */.exec(line)![0].slice(0, Math.max(0, columns - least - 2));
  const [first = "", ...rest] = wrapped(line.trimStart(), Math.max(least, columns - indent.length - 2));
  return [indent + first, ...rest.map((part) => `${indent}  ${part}`)];
}
