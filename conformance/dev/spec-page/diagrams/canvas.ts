// What every picture is drawn with: lines of text of a known width, boxes, arrows, and the frame around it all.

import { html } from "../../../reporters/html/markup.ts";
import type { Html } from "../../../reporters/html/markup.ts";

/** How far apart lines of text are, in pixels. */
export const lineHeight = 17;

/** What a letter takes on average, in pixels: text is measured without a browser. */
const letterWidth = 7;

/** Letters in a line before it is wrapped. */
const wrapAt = 30;

/** A text as lines that are drawn below one another. */
export interface Lines {
  lines: string[];
  width: number;
  height: number;
}

/** Wraps a text, and measures it. */
export function measured(text: string, most = wrapAt): Lines {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  const longest = Math.max(...lines.map((line) => line.length));
  return { lines, width: longest * letterWidth, height: lines.length * lineHeight };
}

/** Lines of text, the first one's middle at `y`. */
export function textAt(x: number, y: number, { lines }: Lines, anchor: "start" | "middle" = "middle"): Html {
  return html`<text x="${x}" y="${y}" text-anchor="${anchor}">
    ${lines.map((line, at) => html`<tspan x="${x}" y="${y + at * lineHeight + 4}">${line}</tspan>`)}
  </text>`;
}

/** A box around a text, its upper left corner at `x` and `y`. */
export function boxAt(x: number, y: number, size: { width: number; height: number }, text: Lines, kind = "box"): Html {
  const first = y + (size.height - text.height) / 2 + lineHeight / 2;
  return html`<rect class="${kind}" x="${x}" y="${y}" width="${size.width}" height="${size.height}" rx="5" />
    ${textAt(x + size.width / 2, first, text)}`;
}

/** A line through points, with an arrow at its end. */
export function arrow(points: readonly (readonly [x: number, y: number])[], kind = "line"): Html {
  const path = points.map(([x, y]) => `${x},${y}`).join(" ");
  return html`<polyline class="${kind}" points="${path}" marker-end="url(#arrow)" />`;
}

/** The head of every arrow, once in a page. */
export const arrowHead = html`<svg width="0" height="0" aria-hidden="true">
  <defs>
    <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
      <path d="M0 0 8 4 0 8z" />
    </marker>
  </defs>
</svg> `;

/**
 * The picture, as large as what is in it.
 * @param text what it shows, for those who do not see it
 */
export function picture(width: number, height: number, text: string, content: readonly Html[]): Html {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Picture">
    <svg
      class="picture"
      role="img"
      aria-label="${text}"
      width="${width}"
      height="${height}"
      viewBox="0 0 ${width} ${height}"
    >
      ${content}
    </svg>
  </div> `;
}
