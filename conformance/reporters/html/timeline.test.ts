// Bars are where the events say: nested, beside each other, never ended, and by their order where no time is known.

import { describe, expect, it } from "vitest";
import type { LoopEvent } from "../../../schemas/types.ts";
import { showTimeline, timelineOf } from "./timeline.ts";
import type { TimedEvent } from "./timeline.ts";

type Fields = Record<string, unknown> & { type: LoopEvent["type"] };
const error = { kind: "overloaded", message: "busy" };

/** Events, each with its time. The rest of each event is nothing that a timeline reads. */
function at(...entries: [number, Fields][]): TimedEvent[] {
  return entries.map(([at_ms, event], seq) => ({ at_ms, event: { seq, turn: 1, ...event } as unknown as LoopEvent }));
}

const batch = at(
  [10, { type: "run_start", agent: "main" }],
  [11, { type: "turn_start", turn: 1 }],
  [12, { type: "model_start", model: "m" }],
  [20, { type: "model_end", stop_reason: "tool_use" }],
  [21, { type: "tool_start", id: "a", name: "slow" }],
  [22, { type: "tool_start", id: "b", name: "fast" }],
  [25, { type: "tool_end", id: "b", name: "fast", outcome: "ok" }],
  [30, { type: "tool_end", id: "a", name: "slow", outcome: "timeout" }],
  [31, { type: "turn_end" }],
  [32, { type: "run_end", result: { status: "completed" } }],
);

describe("timelineOf", () => {
  it("has a bar for each pair, in the order in which they begin", () => {
    const { unit, start, end, bars } = timelineOf(batch);
    expect([unit, start, end]).toEqual(["ms", 10, 32]);
    expect(bars.map(({ label, note, depth, start, end }) => [label, note, depth, start, end])).toEqual([
      ["run of main", "completed", 0, 10, 32],
      ["turn 1", "", 1, 11, 31],
      ["model m", "tool_use", 2, 12, 20],
      ["tool slow", "timeout", 2, 21, 30],
      ["tool fast", "ok", 2, 22, 25],
    ]);
  });
  it("counts events where a time is missing", () => {
    const untimed = batch.map(({ event }, index) => (index === 3 ? { event } : { at_ms: index, event }));
    const { unit, end, bars } = timelineOf(untimed);
    expect([unit, end]).toEqual(["events", 9]);
    expect(bars[3]).toMatchObject({ label: "tool slow", start: 4, end: 7 });
  });
  it("leaves open what never ended, and says of an end that nothing began", () => {
    const { bars } = timelineOf(
      at(
        [0, { type: "tool_start", id: "a", name: "slow" }],
        [5, { type: "tool_end", id: "b", name: "x", outcome: "ok" }],
      ),
    );
    expect(bars[0]).not.toHaveProperty("end");
    expect(bars[1]).toMatchObject({ kind: "moment", label: "end of a tool that never began", note: "ok" });
  });
  it("keeps the runs of subagents apart, and deeper than the tool that is one", () => {
    const inner = (event: Fields) =>
      ({ type: "subagent_event", id: "s", name: "ask", event: { seq: 0, turn: 1, ...event } }) as Fields;
    const { bars } = timelineOf(
      at(
        [0, { type: "turn_start", turn: 1 }],
        [1, { type: "tool_start", id: "s", name: "ask" }],
        [2, inner({ type: "run_start", agent: "helper" })],
        [3, inner({ type: "turn_start", turn: 1 })],
        [4, inner({ type: "turn_end" })],
        [9, { type: "turn_end" }],
      ),
    );
    expect(bars.map(({ label, depth, end }) => [label, depth, end])).toEqual([
      ["turn 1", 1, 9],
      ["tool ask", 2, undefined],
      ["run of helper", 3, undefined],
      ["turn 1", 4, 4],
    ]);
  });
  it("marks moments", () => {
    const moments = at(
      [0, { type: "retry", attempt: 1, wait_ms: 5, error }],
      [1, { type: "fallback", model: "n", error }],
      [2, { type: "handoff", from: "a", to: null }],
      [3, { type: "limit", limit: "max_turns", status: "max_turns" }],
      [4, { type: "warning", code: "tool_drift", message: "" }],
      [5, { type: "message_delta", index: 0, delta: "x" }],
    );
    expect(timelineOf(moments).bars.map(({ kind, label, note }) => [kind, label, note])).toEqual([
      ["moment", "retry", "overloaded"],
      ["moment", "fallback to n", "overloaded"],
      ["moment", "handoff", "a to nobody"],
      ["moment", "limit max_turns", "max_turns"],
      ["moment", "warning", "tool_drift"],
    ]);
  });
  it("is empty without events", () => {
    expect(timelineOf([])).toEqual({ unit: "ms", start: 0, end: 0, bars: [] });
  });
});

describe("showTimeline", () => {
  const shown = (events: TimedEvent[]) => showTimeline(timelineOf(events)).text.replace(/\s+/g, " ");
  it("says in words what it draws", () => {
    expect(shown(batch)).toMatch(
      /tool slow<\/th> <td>timeout<\/td> <td class="number">11\.0<\/td> <td class="number">9\.0<\/td>/,
    );
  });
  it("draws bars to scale", () => {
    // From 21 to 30 of 10 to 32, of which 95 % of the width are used.
    expect(shown(batch)).toContain('<rect x="47.5%" y="2" width="38.86%"');
  });
  it("has a scale of round numbers", () => {
    const axis = /class="axis".*?<\/svg>/.exec(shown(batch))![0];
    expect([...axis.matchAll(/>([\d.]+)</g)].map(([, tick]) => tick)).toEqual(["0", "5", "10", "15", "20"]);
  });
  it("says of what never ended that it did not", () => {
    expect(shown(at([0, { type: "turn_start", turn: 1 }], [9, { type: "model_start" }]))).toMatch(
      /never ended.*class="turn open"/,
    );
  });
  it("can be shown where nothing took any time", () => {
    expect(shown(at([3, { type: "turn_start", turn: 1 }]))).not.toContain("NaN");
    expect(shown([])).not.toContain("NaN");
  });
});
