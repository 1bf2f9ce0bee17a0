// Draws a sequence diagram: who says what to whom, in order.

import { html } from "../../../reporters/html/markup.ts";
import type { Html } from "../../../reporters/html/markup.ts";
import { arrow, boxAt, lineHeight, measured, picture, textAt } from "./canvas.ts";

/** What a line of the diagram shows. */
type Row =
  | { is: "message"; from: string; to: string; text: string; isAnswer: boolean }
  | { is: "note"; over: string[]; text: string }
  | { is: "begin" | "else"; text: string; kind: string }
  | { is: "end" };

interface Sequence {
  /** Each with its label, from left to right. */
  participants: Map<string, string>;
  rows: Row[];
}

const headHeight = 34;
/** Between what one row says and the next. */
const rowGap = 12;
const margin = 16;

/**
 * The diagram as a picture.
 * @throws Error for a line that is none of a sequence diagram
 */
export function sequenceDiagram(source: string): Html {
  const { participants, rows } = readSequence(source);
  const xs = columns(participants, rows);
  const width = Math.max(...xs.values()) + labelWidth([...participants.values()].at(-1)!) / 2 + margin;
  const drawn: Html[] = [];
  const open: { top: number; text: string; kind: string; depth: number }[] = [];
  let y = headHeight + 2 * rowGap;
  for (const row of rows) {
    switch (row.is) {
      case "message": {
        const text = measured(row.text);
        drawn.push(...messageAt(xs.get(row.from)!, xs.get(row.to)!, y, row.text, row.isAnswer));
        y += text.height + rowGap + (row.from === row.to ? lineHeight : 0);
        break;
      }
      case "note": {
        const at = row.over.map((name) => xs.get(name)!);
        const text = measured(row.text, row.over.length > 1 ? 60 : 34);
        const size = { width: text.width + 20, height: text.height + 10 };
        const middle = (Math.min(...at) + Math.max(...at)) / 2;
        drawn.push(
          boxAt(clamp(middle - size.width / 2, margin / 2, width - size.width - margin / 2), y - 4, size, text, "note"),
        );
        y += size.height + rowGap;
        break;
      }
      case "begin":
        open.push({ top: y - 4, text: row.text, kind: row.kind, depth: open.length });
        y += lineHeight + rowGap;
        break;
      case "else":
        drawn.push(
          html`<line class="divider" x1="${margin / 2}" x2="${width - margin / 2}" y1="${y - 4}" y2="${y - 4}" />`,
        );
        drawn.push(html`<g class="quiet">${textAt(margin, y + lineHeight / 2, measured(row.text, 60), "start")}</g>`);
        y += lineHeight + rowGap;
        break;
      case "end": {
        const frame = open.pop()!;
        drawn.unshift(frameAround(frame, y, width));
        y += rowGap;
      }
    }
  }
  const heads = [...participants].map(([name, label]) => {
    const text = measured(label);
    const size = { width: labelWidth(label), height: headHeight };
    const x = xs.get(name)!;
    return html`<line
        class="life"
        x1="${x}"
        x2="${x}"
        y1="${headHeight}"
        y2="${y}"
      />${boxAt(x - size.width / 2, 1, size, text)}`;
  });
  return picture(width, y + 4, inWords({ participants, rows }), [...heads, ...drawn]);
}

/** A frame of what is repeated or left out, with its word at the upper left. */
function frameAround(
  { top, text, kind, depth }: { top: number; text: string; kind: string; depth: number },
  bottom: number,
  width: number,
): Html {
  const inset = margin / 2 + depth * 6;
  return html`<rect
      class="frame"
      x="${inset}"
      y="${top}"
      width="${width - 2 * inset}"
      height="${bottom - top}"
      rx="4"
    />
    <g class="quiet">${textAt(inset + 8, top + lineHeight / 2 + 2, measured(`${kind}: ${text}`, 60), "start")}</g>`;
}

function messageAt(from: number, to: number, y: number, said: string, isAnswer: boolean): Html[] {
  const text = measured(said);
  const line = y + text.height - 2;
  const kind = isAnswer ? "line dashed" : "line";
  if (from === to)
    return [
      textAt(from + 40, y + lineHeight / 2, text, "start"),
      arrow(
        [
          [from, y + 4],
          [from + 30, y + 4],
          [from + 30, line + lineHeight],
          [from, line + lineHeight],
        ],
        kind,
      ),
    ];
  return [
    textAt((from + to) / 2, y + lineHeight / 2 - 4, text),
    arrow(
      [
        [from, line],
        [to, line],
      ],
      kind,
    ),
  ];
}

/** Where each participant stands, so that what goes between two fits between them. */
function columns(participants: Sequence["participants"], rows: readonly Row[]): Map<string, number> {
  const names = [...participants.keys()];
  const widths = names.map((name) => labelWidth(participants.get(name)!));
  const xs = [margin + widths[0]! / 2];
  for (let at = 1; at < names.length; at++) {
    const between = rows.flatMap((row) => {
      if (row.is !== "message") return [];
      const ends = [names.indexOf(row.from), names.indexOf(row.to)].sort((one, other) => one - other);
      const isHere = ends[1] === at || (ends[0] === ends[1] && ends[0] === at - 1);
      const start = ends[0] === ends[1] ? xs[at - 1]! + 30 : xs[ends[0]!]!;
      return isHere ? [start + measured(row.text).width + 34] : [];
    });
    xs.push(Math.max(xs[at - 1]! + (widths[at - 1]! + widths[at]!) / 2 + 30, ...between));
  }
  return new Map(names.map((name, at) => [name, xs[at]!]));
}

function labelWidth(label: string): number {
  return measured(label).width + 30;
}

/** Reads the part of Mermaid's language that the spec uses. */
function readSequence(source: string): Sequence {
  const participants = new Map<string, string>();
  const rows: Row[] = [];
  for (const line of source
    .split("\n")
    .slice(1)
    .map((text) => text.trim())
    .filter(Boolean)) {
    const declared = /^participant (\S+)(?: as (.+))?$/.exec(line);
    const message = /^(\S+?)(--?)>>(\S+?): (.+)$/.exec(line);
    const noted = /^Note over ([^:]+): (.+)$/.exec(line);
    const begun = /^(loop|opt|alt) (.+)$/.exec(line);
    const other = /^else (.+)$/.exec(line);
    if (declared) participants.set(declared[1]!, declared[2] ?? declared[1]!);
    else if (message)
      rows.push({
        is: "message",
        from: message[1]!,
        to: message[3]!,
        text: message[4]!,
        isAnswer: message[2] === "--",
      });
    else if (noted) rows.push({ is: "note", over: noted[1]!.split(",").map((name) => name.trim()), text: noted[2]! });
    else if (begun) rows.push({ is: "begin", kind: begun[1] === "loop" ? "loop" : "if", text: begun[2]! });
    else if (other) rows.push({ is: "else", kind: "else", text: `else: ${other[1]!}` });
    else if (line === "end") rows.push({ is: "end" });
    else
      throw new Error(
        `"${line}" is no line of a sequence diagram; expected: participant a, a->>b: text, Note over a: text, loop, opt, alt, else or end`,
      );
  }
  const named = rows.flatMap((row) => (row.is === "message" ? [row.from, row.to] : row.is === "note" ? row.over : []));
  const unknown = named.find((name) => !participants.has(name));
  if (unknown !== undefined) throw new Error(`${unknown} is no participant; declare it: participant ${unknown}`);
  return { participants, rows };
}

/** What the picture shows, as sentences. */
function inWords({ participants, rows }: Sequence): string {
  return rows
    .map((row) => {
      if (row.is === "message") return `${participants.get(row.from)!} to ${participants.get(row.to)!}: ${row.text}.`;
      if (row.is === "note") return `${row.text}.`;
      return row.is === "end" ? "End." : `${row.kind}: ${row.text}.`;
    })
    .join(" ");
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}
