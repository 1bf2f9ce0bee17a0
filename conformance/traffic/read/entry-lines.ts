// Writes the entries of a conversation as lines for a terminal: who on the left, what beside it, no line longer than the screen.

import colors from "picocolors";
import { visible } from "../../reporters/visible.ts";
import type { Entry, EntryKind } from "./entries.ts";

type Paint = ReturnType<typeof colors.createColors>;

/** How lines are written. */
export interface LineStyle {
  color: boolean;
  /** How many letters a line may have. */
  columns: number;
  /** Lines of one entry that are shown at most; the rest is counted. */
  most: number;
}

const labelWidth = 11;

/** The lines of all entries. */
export function entryLines(entries: readonly Entry[], { color, columns, most }: LineStyle): string[] {
  const paint = colors.createColors(color);
  return entries.flatMap((entry) => {
    if (entry.kind === "heading") return ["", ...headingLines(entry, columns, paint)];
    const lines = wrapped(entryText(entry), Math.max(20, columns - labelWidth));
    const left = lines.length > most + 1 ? lines.length - most : 0;
    const shown = left === 0 ? lines : [...lines.slice(0, most), `… ${left} lines more; --full shows them`];
    return shown.map((line, at) => {
      const label = (at === 0 ? labels[entry.kind] : "").padEnd(labelWidth);
      return `${paint.dim(label)}${paints[entry.kind](paint)(line)}`.trimEnd();
    });
  });
}

const labels: Record<EntryKind, string> = {
  heading: "",
  system: "system",
  user: "user",
  assistant: "assistant",
  thinking: "thinking",
  call: "call",
  result: "result",
  item: "item",
  note: "",
  warning: "warning",
  error: "error",
};

const paints: Record<EntryKind, (paint: Paint) => (text: string) => string> = {
  heading: ({ bold }) => bold,
  system: ({ magenta }) => magenta,
  user: ({ cyan }) => cyan,
  assistant: () => String,
  thinking:
    ({ dim, italic }) =>
    (text) =>
      dim(italic(text)),
  call: ({ yellow }) => yellow,
  result: ({ green }) => green,
  item: ({ blue }) => blue,
  note: ({ dim }) => dim,
  warning: ({ yellow }) => yellow,
  error: ({ red }) => red,
};

function headingLines({ text, aside }: Entry, columns: number, paint: Paint): string[] {
  const [first = "", ...rest] = wrapped(visible(text), columns);
  const fits = rest.length === 0 && aside !== undefined && first.length + 3 + aside.length <= columns;
  if (fits) return [`${paint.bold(first)} ${paint.dim(`· ${visible(aside)}`)}`];
  const below = aside === undefined ? [] : wrapped(visible(aside), columns - 3).map((line) => `   ${paint.dim(line)}`);
  return [...[first, ...rest].map((line) => paint.bold(line)), ...below];
}

function entryText({ text, aside }: Entry): string {
  return visible(aside === undefined ? text : `${text}  [${aside}]`);
}

/** The text in lines of at most so many letters; a word that is longer is broken. */
export function wrapped(text: string, columns: number): string[] {
  return text.split("\n").flatMap((line) => {
    const lines: string[] = [];
    let left = Array.from(line);
    while (left.length > columns) {
      const space = left.lastIndexOf(" ", columns);
      const end = space > columns / 2 ? space : columns;
      lines.push(left.slice(0, end).join(""));
      left = left.slice(left[end] === " " ? end + 1 : end);
    }
    return [...lines, left.join("")];
  });
}
