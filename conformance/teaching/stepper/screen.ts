// Writes a transition as lines for a terminal: where it leads, what was decided and by which sentence, what was sent, what came back.

import colors from "picocolors";
import { entryLines, wrapped } from "../../traffic/read/entry-lines.ts";
import type { LineStyle } from "../../traffic/read/entry-lines.ts";
import { visible } from "../../reporters/visible.ts";
import type { Decided } from "./explain.ts";
import { states } from "./machine.ts";
import { nameOf, sectionsOf, standingRows } from "./sections.ts";
import type { Transition } from "./transitions.ts";

type Paint = ReturnType<typeof colors.createColors>;

/** What stands above the transitions. */
export function titleLines({ title, notes }: { title: string; notes: readonly string[] }, style: LineStyle): string[] {
  const paint = colors.createColors(style.color);
  const quiet = notes.flatMap((text) => wrapped(visible(text), style.columns)).map((line) => paint.dim(line));
  return [...wrapped(visible(title), style.columns).map((line) => paint.bold(line)), ...quiet];
}

/** The lines of one transition of so many. */
export function transitionLines(transition: Transition, count: number, style: LineStyle): string[] {
  const paint = colors.createColors(style.color);
  const { index, decided } = transition;
  const sections = sectionsOf(transition).flatMap(({ title, entries }) => [
    "",
    paint.bold(title),
    ...entryLines(entries, style),
  ]);
  return [
    `${paint.dim(`${index}/${count}`)}  ${paint.bold(nameOf(transition))}`,
    machineLine(transition, style, paint),
    ...changeLines(transition, paint),
    ...(decided.length === 0 ? [] : ["", paint.bold("Decided")]),
    ...decided.flatMap((one) => decidedLines(one, style, paint)),
    ...sections,
  ];
}

/** Every state in a row, with the one that was left and the one that was reached. Without colours by brackets alone. */
function machineLine({ from, to, isUnfinished }: Transition, { columns }: LineStyle, paint: Paint): string {
  const names = Object.keys(states);
  const isNarrow = names.join("   ").length + 4 > columns;
  const shown = isNarrow ? [...new Set([from.phase, to.phase])] : names;
  const words = shown.map((name) => {
    if (name === to.phase && !isUnfinished) return paint.inverse(`[${name}]`);
    return name === from.phase ? paint.underline(`(${name})`) : paint.dim(` ${name} `);
  });
  return words.join(" ");
}

/** What of the state is another than before. */
function changeLines({ from, to }: Transition, paint: Paint): string[] {
  const after = new Map(standingRows(to));
  const parts = standingRows(from)
    .filter(([name]) => name !== "phase")
    .map(([name, value]) => {
      const now = after.get(name)!;
      return now === value ? paint.dim(`${name} ${visible(value)}`) : `${name} ${visible(value)} → ${visible(now)}`;
    });
  return [parts.join(paint.dim(" · "))];
}

function decidedLines({ what, requirement, text }: Decided, { columns }: LineStyle, paint: Paint): string[] {
  const indent = " ".repeat(14); // as long as the longest id
  const sentence = wrapped(text, Math.max(20, columns - indent.length)).map((line) => `${indent}${paint.dim(line)}`);
  const [first = "", ...rest] = wrapped(visible(what), Math.max(20, columns - indent.length));
  return [
    `${paint.cyan(requirement.padEnd(indent.length))}${first}`,
    ...rest.map((line) => indent + line),
    ...sentence,
  ];
}
