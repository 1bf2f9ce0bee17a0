// Draws a flowchart: boxes in ranks, from left to right or from top to bottom, with arrows between them.

import { html } from "../../../reporters/html/markup.ts";
import type { Html } from "../../../reporters/html/markup.ts";
import { arrow, boxAt, measured, picture, textAt } from "./canvas.ts";
import type { Lines } from "./canvas.ts";

interface Edge {
  from: string;
  to: string;
  text: string;
}

interface Flow {
  isDown: boolean;
  /** Each box with what stands in it. */
  boxes: Map<string, string>;
  edges: Edge[];
}

const gap = 14;
/** Between two ranks. */
const step = 64;

interface Placed {
  x: number;
  y: number;
  width: number;
  height: number;
  text: Lines;
}

/**
 * The diagram as a picture.
 * @throws Error for a line that is none of a flowchart, and for a circle
 */
export function flowchart(source: string): Html {
  const flow = readFlow(source);
  const placed = place(flow);
  const arrows = flow.edges.map((edge) => drawn(edge, placed, flow.isDown));
  const boxes = [...placed.values()].map((one) => boxAt(one.x, one.y, one, one.text));
  const width = Math.max(...[...placed.values()].map((one) => one.x + one.width)) + 6;
  const height = Math.max(...[...placed.values()].map((one) => one.y + one.height)) + 6;
  const words = flow.edges.map(
    ({ from, to, text }) => `${flow.boxes.get(from)!} to ${flow.boxes.get(to)!}${text && `: ${text}`}.`,
  );
  return picture(width, height, words.join(" "), [...arrows, ...boxes]);
}

function drawn({ from, to, text }: Edge, placed: ReadonlyMap<string, Placed>, isDown: boolean): Html {
  const [one, other] = [placed.get(from)!, placed.get(to)!];
  const start: [number, number] = isDown
    ? [one.x + one.width / 2, one.y + one.height]
    : [one.x + one.width, one.y + one.height / 2];
  const end: [number, number] = isDown ? [other.x + other.width / 2, other.y] : [other.x, other.y + other.height / 2];
  const bend: [number, number][] = isDown
    ? [
        [start[0], (start[1] + end[1]) / 2],
        [end[0], (start[1] + end[1]) / 2],
      ]
    : [
        [start[0] + step / 2, start[1]],
        [start[0] + step / 2, end[1]],
      ];
  const label = isDown
    ? textAt(end[0] + 8, (start[1] + end[1]) / 2, measured(text, 60), "start")
    : textAt(end[0] - 8, end[1] - 9, measured(text, 60), "start");
  return html`${arrow([start, ...bend, end])}${text !== "" && html`<g class="caption">${label}</g>`}`;
}

/** Each rank behind the one before, its boxes in the order of the source, in the middle. */
function place({ isDown, boxes, edges }: Flow): Map<string, Placed> {
  const texts = new Map([...boxes].map(([name, label]) => [name, measured(label, isDown ? 46 : 30)]));
  const ranks = Map.groupBy(boxes.keys(), (name) => rankOf(name, edges));
  const sizes = new Map([...texts].map(([name, text]) => [name, { width: text.width + 26, height: text.height + 14 }]));
  const across = (name: string) => (isDown ? sizes.get(name)!.width : sizes.get(name)!.height);
  const spans = [...ranks.values()].map((names) => names.reduce((sum, name) => sum + across(name) + gap, -gap));
  const placed = new Map<string, Placed>();
  let along = 4;
  for (const [rank, names] of [...ranks].sort(([one], [other]) => one - other)) {
    let at = 4 + (Math.max(...spans) - spans[[...ranks.keys()].indexOf(rank)]!) / 2;
    for (const name of names) {
      const size = sizes.get(name)!;
      placed.set(name, { ...(isDown ? { x: at, y: along } : { x: along, y: at }), ...size, text: texts.get(name)! });
      at += across(name) + gap;
    }
    along +=
      Math.max(...names.map((name) => (isDown ? sizes.get(name)!.height : sizes.get(name)!.width))) +
      (isDown ? 34 : step);
  }
  return placed;
}

/** How many boxes stand before it on the longest way. */
function rankOf(name: string, edges: readonly Edge[], seen: readonly string[] = []): number {
  if (seen.includes(name)) throw new Error(`the flowchart goes in a circle: ${[...seen, name].join(" --> ")}`);
  const before = edges.filter(({ to }) => to === name).map(({ from }) => rankOf(from, edges, [...seen, name]) + 1);
  return Math.max(0, ...before);
}

/** Reads the part of Mermaid's language that the spec uses. */
function readFlow(source: string): Flow {
  const [head = "", ...lines] = source.split("\n").map((line) => line.trim());
  const boxes = new Map<string, string>();
  const edges: Edge[] = [];
  const nameOf = (text: string) => {
    const [, name = "", label] = /^(\w+)(?:\["(.+)"\])?$/.exec(text) ?? [];
    if (name === "") throw new Error(`"${text}" is no box of a flowchart; expected: name or name["text"]`);
    if (label !== undefined || !boxes.has(name)) boxes.set(name, label ?? name);
    return name;
  };
  for (const line of lines.filter(Boolean)) {
    const [, from, text = "", to] = /^(\S+?(?:\[".+?"\])?) -->(?:\|(.+?)\|)? (.+)$/.exec(line) ?? [];
    if (from === undefined || to === undefined)
      throw new Error(`"${line}" is no arrow of a flowchart; expected: a["text"] --> b["text"]`);
    edges.push({ from: nameOf(from), text, to: nameOf(to) });
  }
  return { isDown: head === "flowchart TD", boxes, edges };
}
