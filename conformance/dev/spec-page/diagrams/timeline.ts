// Draws what happens at the same time and what after another: bars on a line of time, one row for each section.

import { html } from "../../../reporters/html/markup.ts";
import type { Html } from "../../../reporters/html/markup.ts";
import { measured, picture, textAt } from "./canvas.ts";

interface Bar {
  section: string;
  text: string;
  from: number;
  to: number;
  /** What waits, in place of what works. */
  isWaiting: boolean;
}

const rowHeight = 34;
/** Of one unit of time. */
const unit = 62;

/**
 * The diagram as a picture.
 * @throws Error for a line that is none of it
 */
export function timeline(source: string): Html {
  const bars = readBars(source);
  const sections = [...new Set(bars.map(({ section }) => section))];
  const first = Math.max(...sections.map((section) => measured(section, 60).width)) + 24;
  const width = first + Math.max(...bars.map(({ to }) => to)) * unit + 12;
  const rows = sections.map((section, at) => {
    const y = at * rowHeight + rowHeight / 2 + 4;
    const own = bars.filter((bar) => bar.section === section);
    return html`<line
        class="life"
        x1="${first}"
        x2="${width}"
        y1="${y}"
        y2="${y}"
      />${textAt(8, y, measured(section, 60), "start")} ${own.map((bar) => drawn(bar, first, y))}`;
  });
  const words = bars.map(({ section, text, from, to }) => `${section}: ${text}, from ${from} to ${to}.`).join(" ");
  return picture(width, sections.length * rowHeight + 8, words, rows);
}

function drawn({ text, from, to, isWaiting }: Bar, first: number, y: number): Html {
  const x = first + from * unit;
  const width = (to - from) * unit - 4;
  return html`<rect
      class="${isWaiting ? "waiting" : "bar"}"
      x="${x}"
      y="${y - 12}"
      width="${width}"
      height="24"
      rx="4"
    />
    ${textAt(x + width / 2, y, measured(text, 60))}`;
}

/** Reads the part of Mermaid's Gantt charts that the spec uses: sections, and bars from one number to another. */
function readBars(source: string): Bar[] {
  let section = "";
  const bars: Bar[] = [];
  for (const line of source
    .split("\n")
    .slice(1)
    .map((text) => text.trim())
    .filter(Boolean)) {
    if (/^(dateFormat|axisFormat) /.test(line)) continue;
    const opened = /^section (.+)$/.exec(line);
    const bar = /^(.+?) *:(done, )?(\d+), (\d+)$/.exec(line);
    if (opened) section = opened[1]!;
    else if (bar)
      bars.push({ section, text: bar[1]!, isWaiting: bar[2] !== undefined, from: Number(bar[3]), to: Number(bar[4]) });
    else throw new Error(`"${line}" is no line of a time line; expected: section a, or text :from, to`);
  }
  return bars;
}
