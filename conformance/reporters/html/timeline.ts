// Draws what happened in a run as bars in time: turns, model calls and tools from its events, or whatever else has a beginning.

import type { LoopEvent } from "../../../schemas/types.ts";
import { html } from "./markup.ts";
import type { Html } from "./markup.ts";

/** An event, and when it came, where that is known. */
export interface TimedEvent {
  /** In milliseconds since any moment before the first event. */
  at_ms?: number;
  event: LoopEvent;
}

/** Something that has a beginning and, if all is well, an end; or a moment. */
export interface Bar {
  kind: "run" | "turn" | "model" | "attempt" | "wait" | "tool" | "moment";
  label: string;
  /** What it came to. */
  note: string;
  /** In how many others it is. */
  depth: number;
  start: number;
  /** Absent if the events do not report it. */
  end?: number;
}

export interface Timeline {
  /** What is counted from `start` to `end`. */
  unit: "ms" | "events";
  start: number;
  end: number;
  bars: Bar[];
}

/** The bars of a run in the order in which they begin. Where a time is missing, events are counted instead. */
export function timelineOf(events: readonly TimedEvent[]): Timeline {
  const unit = events.every(({ at_ms }) => at_ms !== undefined) ? "ms" : "events";
  const bars: Bar[] = [];
  const open = new Map<string, Bar>();
  const times = events.map(({ at_ms }, index) => (unit === "ms" ? at_ms! : index));
  for (const [index, { event }] of events.entries()) read(event, { at: times[index]!, path: "", depth: 0, bars, open });
  const start = times[0] ?? 0;
  return { unit, start, end: Math.max(times.at(-1) ?? 0, start), bars };
}

interface Reading {
  at: number;
  /** Names the subagent that the event is of. */
  path: string;
  depth: number;
  bars: Bar[];
  open: Map<string, Bar>;
}

/** What is inside what: a row is as far to the right as it is deep. */
const depths = { run: 0, turn: 1, model: 2, attempt: 3, wait: 3, tool: 2, moment: 2 };

function read(event: LoopEvent, reading: Reading): void {
  const { path } = reading;
  switch (event.type) {
    case "run_start":
      return begin("run", `run of ${event.agent}`, reading);
    case "run_end":
      return finish("run", event.result.status, reading);
    case "turn_start":
      return begin("turn", `turn ${event.turn}${event.resumed ? ", resumed" : ""}`, reading);
    case "turn_end":
      return finish("turn", "", reading);
    case "model_start":
      return begin("model", `model ${event.model ?? ""}`.trimEnd(), reading);
    case "model_end":
      return finish("model", event.error ? `${event.stop_reason}: ${event.error.kind}` : event.stop_reason, reading);
    case "attempt_start":
      return begin("attempt", `attempt ${event.attempt}`, reading);
    case "attempt_end":
      return finish("attempt", event.stop_reason, reading);
    case "wait_start":
      return begin("wait", `wait of ${event.wait_ms} ms`, reading);
    case "wait_end":
      return finish("wait", "", reading);
    case "tool_start":
      return begin("tool", `tool ${event.name}`, reading, event.id);
    case "tool_end":
      return finish("tool", event.outcome, reading, event.id);
    case "subagent_event":
      return read(event.event, { ...reading, path: `${path}/${event.id}`, depth: reading.depth + depths.tool + 1 });
    default:
      return note(event, reading);
  }
}

function begin(kind: Bar["kind"], label: string, { at, path, depth, bars, open }: Reading, id = ""): void {
  const bar: Bar = { kind, label, note: "", depth: depth + depths[kind], start: at };
  bars.push(bar);
  open.set(`${path} ${kind} ${id}`, bar);
}

function finish(kind: Bar["kind"], note: string, reading: Reading, id = ""): void {
  const key = `${reading.path} ${kind} ${id}`;
  const bar = reading.open.get(key);
  if (!bar) return moment(`end of a ${kind} that never began`, note, reading);
  Object.assign(bar, { note, end: reading.at });
  reading.open.delete(key);
}

function moment(label: string, note: string, { at, depth, bars }: Reading): void {
  bars.push({ kind: "moment", label, note, depth: depth + depths.moment, start: at, end: at });
}

/** What is a moment in the course of a run; messages and their pieces are left to the list of events. */
function note(event: LoopEvent, reading: Reading): void {
  switch (event.type) {
    case "retry":
      return moment("retry", event.error.kind, reading);
    case "fallback":
      return moment(`fallback to ${event.model}`, event.error.kind, reading);
    case "switch_model":
      return moment(`switch to ${event.model}`, "", reading);
    case "handoff":
      return moment("handoff", `${event.from} to ${event.to ?? "nobody"}`, reading);
    case "compaction":
      return moment("compaction", event.strategy, reading);
    case "amendment":
      return moment("amendment", `messages ${event.from} to ${event.to}`, reading);
    case "limit":
      return moment(`limit ${event.limit}`, event.status, reading);
    case "warning":
      return moment("warning", event.code, reading);
    case "tool_late_result":
      return moment(`late result of ${event.name}`, "", reading);
  }
}

/** The timeline as a table: each row has its numbers beside its bar, so that nothing is said by the drawing alone. */
export function showTimeline(timeline: Timeline): Html {
  const { unit, bars } = timeline;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Timeline">
    <table class="timeline">
      <caption class="hidden">
        What happened in the run, ${unit === "ms" ? "in milliseconds" : "by the order of events"}
      </caption>
      <thead>
        <tr>
          <th scope="col">what</th>
          <th scope="col">outcome</th>
          <th scope="col" class="number">${unit === "ms" ? "at ms" : "at event"}</th>
          <th scope="col" class="number">${unit === "ms" ? "took ms" : "for events"}</th>
          <td class="track">${axis(timeline)}</td>
        </tr>
      </thead>
      <tbody>
        ${bars.map((bar) => row(bar, timeline))}
      </tbody>
    </table>
  </div>`;
}

function row(bar: Bar, timeline: Timeline): Html {
  const { kind, label, note, depth, start, end } = bar;
  const took = kind === "moment" ? "" : end === undefined ? "…" : measured(end - start, timeline);
  return html`<tr class="${kind}">
    <th scope="row">${Array.from({ length: depth }, () => html`<i class="indent"></i>`)}${label}</th>
    <td>${end === undefined ? html`<strong class="bad">never ended</strong>` : note}</td>
    <td class="number">${measured(start - timeline.start, timeline)}</td>
    <td class="number">${took}</td>
    <td class="track">${drawing(bar, timeline)}</td>
  </tr>`;
}

function drawing({ kind, start, end }: Bar, timeline: Timeline): Html {
  const left = percent(start, timeline);
  const width = percent(end ?? timeline.end, timeline) - left;
  const shape =
    kind === "moment"
      ? html`<circle cx="${left}%" cy="8" r="4" />`
      : html`<rect x="${left}%" y="2" width="${width}%" height="12" rx="2" /><rect
            x="${left}%"
            y="2"
            width="3"
            height="12"
            rx="1"
          />`;
  return html`<svg aria-hidden="true" class="${kind}${end === undefined ? " open" : ""}" height="16">${shape}</svg>`;
}

/** The smallest of 1, 2 and 5 times a power of ten of which at most five fit. */
function stepOf(span: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(span, 1e-3) / 5));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => span / step <= 5)!;
}

function axis(timeline: Timeline): Html {
  const span = timeline.end - timeline.start;
  const step = stepOf(span);
  const ticks = Array.from({ length: Math.floor(span / step + 1e-9) + 1 }, (_, index) => index * step);
  return html`<svg aria-hidden="true" class="axis" height="16">
    ${ticks.map((tick) => html`<text x="${percent(timeline.start + tick, timeline)}%" y="12" ${tick > 0 && html` text-anchor="middle"`}>${Number(tick.toPrecision(3))}</text>`)}
  </svg>`;
}

/** The last twentieth is left for what begins at the end. */
function percent(at: number, { start, end }: Timeline): number {
  return end === start ? 0 : Math.round(((at - start) / (end - start)) * 9500) / 100;
}

/** Milliseconds all have one place after the point, so that the points stand below each other. */
function measured(value: number, { unit }: Timeline): string {
  return unit === "ms" ? value.toFixed(1) : String(value);
}
