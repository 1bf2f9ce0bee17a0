// What is read of the events of a run is what the core did: the same phases, in the same order, with the same session.

import { beforeAll, describe, expect, it, vi } from "vitest";
import { catalogue } from "../../../reference/testing/catalogue.ts";
import { warmUp } from "../../../reference/testing/live.ts";
import type { LoopEvent, Message } from "../../../schemas/types.ts";
import { edges } from "./machine.ts";
import { compare } from "./testing/watched.ts";
import { transitionsOf } from "./transitions.ts";

vi.mock("../../../reference/core/agent-loop.ts", async (original) => {
  const { watchable } = await import("../../../reference/testing/record-states.ts");
  return watchable(await original());
});

describe("the transitions of a run", () => {
  beforeAll(warmUp);

  it.each(Object.entries(catalogue))("are those of the core: %s", async (_, scenario) => {
    const runs = await compare(scenario);
    expect(runs.length).toBeGreaterThan(0);
    for (const { segment, watched, read, transitions } of runs) {
      expect(read).toEqual(watched);
      expect(transitions.filter(({ decided }) => decided.length === 0)).toEqual([]);
      for (const { from, to } of transitions) expect(edges).toHaveProperty([`${from.phase}>${to.phase}`]);
      expect(transitions.flatMap(({ events }) => events)).toEqual(segment.events);
    }
  });
});

describe("events that end in the middle", () => {
  it("are all there, wherever they end", async () => {
    const [run] = await compare(catalogue["a batch that is executed while a call of it waits"]!);
    const whole = run!.segment.events;
    for (const [at] of whole.entries()) {
      const transitions = transitionsOf({ title: "", notes: [], before: [], events: whole.slice(0, at) });
      expect(transitions.flatMap(({ events: own }) => own)).toEqual(whole.slice(0, at));
      expect(transitions.slice(0, -1).filter(({ isUnfinished }) => isUnfinished)).toEqual([]);
    }
  });

  const events: LoopEvent[] = [
    { type: "run_start", seq: 0, session_id: "s", agent: "main" },
    { type: "turn_start", seq: 1, turn: 1 },
    { type: "model_start", seq: 2, turn: 1 },
  ];

  it("leave a transition of which nobody knows where it leads", () => {
    const transitions = transitionsOf({ title: "", notes: [], before: [], events });
    expect(transitions.map(({ from, to, isUnfinished }) => [from.phase, to.phase, isUnfinished])).toEqual([
      ["turn_boundary", "calling_model", undefined],
      ["calling_model", "calling_model", true],
    ]);
    expect(transitions[1]!.decided).toEqual([]);
  });

  it("lead to where the run stands, if that is known", () => {
    const transitions = transitionsOf({ title: "", notes: [], before: [], events, reached: "deciding" });
    expect(transitions.at(-1)).toMatchObject({ to: { phase: "deciding" } });
  });
});

describe("the events of several runs", () => {
  const call: Message = { type: "tool_call", id: "a", name: "look", input: {} };
  const numbered = (events: object[]): LoopEvent[] => events.map((event, seq) => ({ ...event, seq }) as LoopEvent);
  const begin = (more: object = {}) => ({ type: "run_start", session_id: "s", agent: "main", ...more });
  const untilTool = [
    begin(),
    { type: "turn_start", turn: 1 },
    { type: "model_start", turn: 1 },
    { type: "model_end", turn: 1, stop_reason: "tool_use" },
    { type: "message", turn: 1, message: call },
    { type: "tool_start", turn: 1, id: "a", name: "look", input: {} },
  ];
  const afterTool = [
    begin({ resumed: true }),
    { type: "turn_start", turn: 1, resumed: true },
    { type: "message", turn: 1, message: { type: "tool_result", id: "a", output: "", outcome: "interrupted" } },
    { type: "turn_end", turn: 1 },
  ];
  const phases = (...runs: object[][]) =>
    transitionsOf({ title: "", notes: [], before: [], events: runs.flatMap(numbered) }).map(
      ({ from, to, isUnfinished }) => `${from.phase}${isUnfinished ? " …" : ` ${to.phase}`}`,
    );

  it("of which one was killed and the next recovers it", () => {
    expect(phases(untilTool, afterTool)).toEqual([
      "turn_boundary calling_model",
      "calling_model deciding",
      "deciding executing",
      "executing …",
      "executing turn_boundary",
    ]);
  });

  it("of which one was killed while the model was asked, and the next one begins", () => {
    expect(phases(untilTool.slice(0, 3), untilTool.slice(0, 3))).toEqual([
      "turn_boundary calling_model",
      "calling_model …",
      "turn_boundary calling_model",
      "calling_model …",
    ]);
  });

  it("that are resumed without what came before", () => {
    expect(phases(afterTool)).toEqual(["suspended executing", "executing turn_boundary"]);
  });

  it("on another session begin with nothing", () => {
    const events = [untilTool, [begin({ session_id: "t" }), { type: "turn_start", turn: 1 }]].flatMap(numbered);
    const transitions = transitionsOf({ title: "", notes: [], before: [], events });
    expect(transitions.map(({ to }) => to.messages)).toEqual([0, 1, 1, 1, 0, 0]);
  });
});
