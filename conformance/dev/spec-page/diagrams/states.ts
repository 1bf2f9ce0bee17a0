// Draws a state diagram: a column of states; each transition leaves at its own line, and enters its state at the top.

import { html } from "../../../reporters/html/markup.ts";
import type { Html } from "../../../reporters/html/markup.ts";
import { arrow, lineHeight, measured, picture, textAt } from "./canvas.ts";
import type { Transition } from "../state-diagram.ts";

const rowHeight = 24;
const stateGap = 14;
const trackGap = 14;
const left = 12;

interface Placed {
  name: string;
  top: number;
  out: Transition[];
}

/** The diagram as a picture. */
export function statePicture(transitions: readonly Transition[]): Html {
  const sources = transitions.map(({ from }) => sourceOf(from));
  const names = [...new Set([...sources, ...transitions.map(({ to }) => targetOf(to))])];
  const stateWidth = Math.max(...names.map((name) => measured(name).width)) + 28;
  const labelsAt = left + stateWidth + 14;
  const tracksAt = labelsAt + Math.max(...transitions.map(({ when = "" }) => measured(when, 60).width)) + 26;
  const targets = [...new Set(transitions.map(({ to }) => targetOf(to)))];
  const placed = place(names, transitions);
  const topOf = new Map(placed.map(({ name, top }) => [name, top]));
  const end = placed.at(-1)!;
  const boxes = placed.map(({ name, top, out }) => {
    const height = heightOf(out);
    return html`<rect
        class="${name === "start" || name === "end" ? "edge" : "box"}"
        x="${left}"
        y="${top}"
        width="${stateWidth}"
        height="${height}"
        rx="${name === "start" || name === "end" ? height / 2 : 5}"
      />
      ${textAt(left + stateWidth / 2, top + height / 2, measured(name))}`;
  });
  const lines = placed.flatMap(({ top, out }) =>
    out.map(({ to, when = "" }, at) => {
      const y = top + (at + 1) * rowHeight + 4;
      const track = tracksAt + targets.indexOf(targetOf(to)) * trackGap;
      const into = topOf.get(targetOf(to))! + lineHeight / 2;
      const text = measured(when, 60);
      return html`${arrow([
        [left + stateWidth, y],
        [track, y],
        [track, into],
        [left + stateWidth + 1, into],
      ])}
      ${text.lines[0] !== "" && html`<g class="caption">${textAt(labelsAt, y - 7, text, "start")}</g>`}`;
    }),
  );
  const words = transitions
    .map(({ from, to, when }) => `${sourceOf(from)} to ${targetOf(to)}${when ? `: ${when}` : ""}.`)
    .join(" ");
  return picture(tracksAt + targets.length * trackGap, end.top + heightOf(end.out) + 8, words, [...lines, ...boxes]);
}

/** Each state below the one before, as high as what leaves it needs. */
function place(names: readonly string[], transitions: readonly Transition[]): Placed[] {
  let top = 6;
  return names.map((name) => {
    const out = transitions.filter(({ from }) => sourceOf(from) === name);
    const placed = { name, top, out };
    top += heightOf(out) + stateGap;
    return placed;
  });
}

function heightOf(out: readonly Transition[]): number {
  return out.length * rowHeight + lineHeight + 6;
}

function sourceOf(name: string): string {
  return name === "[*]" ? "start" : name;
}

function targetOf(name: string): string {
  return name === "[*]" ? "end" : name;
}
