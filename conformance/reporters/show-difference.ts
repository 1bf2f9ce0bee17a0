// Shows an expected and a received value so that the difference is seen first.

import { diffLines } from "diff";

/** Lines of a value that are the same wherever it is shown: keys sorted, two spaces. */
export function linesOf(value: unknown): string {
  if (value === undefined) return "(nothing)\n";
  if (typeof value === "string") return `${value}\n`;
  return `${JSON.stringify(value, sorted, 2)}\n`;
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** How many unchanged lines are shown around a change. */
const around = 2;

/** Lines that start with `-` for what was expected, `+` for what came, and a blank for what both have. */
export function showDifference(expected: unknown, received: unknown, maxLines = 40): string[] {
  if (Array.isArray(received) && !Array.isArray(expected))
    return cut(
      [
        ...linesOf(expected)
          .trimEnd()
          .split("\n")
          .map((line) => `- ${line}`),
        ...received.map((entry) => `+ ${inOneLine(entry)}`),
      ],
      maxLines,
    );
  const changes = diffLines(linesOf(expected), linesOf(received));
  const lines = changes.flatMap(({ value, added, removed }, index) => {
    const own = value.replace(/\n$/, "").split("\n");
    if (added) return own.map((line) => `+ ${line}`);
    if (removed) return own.map((line) => `- ${line}`);
    return shortened(own, index > 0, index < changes.length - 1).map((line) => `  ${line}`);
  });
  return cut(lines, maxLines);
}

function cut(lines: string[], most: number): string[] {
  return lines.length <= most ? lines : [...lines.slice(0, most), `  … ${lines.length - most} more lines`];
}

function inOneLine(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= 160 ? text : `${text.slice(0, 160)}…`;
}

function shortened(lines: string[], afterChange: boolean, beforeChange: boolean): string[] {
  const head = afterChange ? around : 0;
  const tail = beforeChange ? around : 0;
  if (lines.length <= head + tail + 1) return lines;
  return [
    ...lines.slice(0, head),
    `… ${lines.length - head - tail} unchanged lines`,
    ...lines.slice(lines.length - tail),
  ];
}
