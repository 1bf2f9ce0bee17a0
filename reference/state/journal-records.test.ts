// The records of a journal, folded, are the state after every step; and they stay small.

import { beforeAll, describe, expect, it, vi } from "vitest";

import { validate } from "../../conformance/kit/base/validate.ts";
import { agentLoop } from "../run/run.ts";
import type { InvokeModel, Ports, State } from "../core/ports.ts";
import { initSession, initState } from "../core/session.ts";
import { foldJournal, unwritten } from "./journal-records.ts";
import { catalogue } from "../testing/catalogue.ts";
import { live, warmUp } from "../testing/live.ts";
import { memoryJournal } from "../testing/memory-journal.ts";
import type { JournalRecord, Message } from "../../schemas/types.ts";

let look: ((state: State) => void) | undefined;

vi.mock("../core/agent-loop.ts", async (original) => {
  const core = await original<typeof import("../core/agent-loop.ts")>();
  const agentLoop = (state: State, ports: Ports) => {
    const checkpoint = async (now: State) => {
      await ports.checkpoint(now);
      look?.(now);
    };
    return core.agentLoop(state, { ...ports, checkpoint });
  };
  return { ...core, agentLoop };
});

beforeAll(warmUp);

/** Without what a journal has beside the state. */
function bare(state: State): State {
  const { counters: { elapsed_ms: _, ...counters } = {}, tools: _1, tripped: _2, unsaid: _3, ...rest } = state;
  return JSON.parse(JSON.stringify({ ...rest, counters })) as State;
}

describe("the fold", () => {
  it.each(Object.entries(catalogue))("is the state after every step of %s [JOURNAL-1]", async (_, scenario) => {
    const journal = memoryJournal();
    let steps = 0;
    look = (state) => {
      steps += 1;
      expect(bare(foldJournal(journal.records()))).toEqual(bare(state));
    };
    const { segments } = await live({ ...scenario, stepwise: false }, { journal });
    look = undefined;
    expect(steps).toBeGreaterThan(1);
    const { session, result } = segments.at(-1)!;
    const { session: kept, ending } = foldJournal(journal.records());
    expect(kept).toEqual(JSON.parse(JSON.stringify(session)));
    expect(ending?.status).toBe(result.status);
    for (const record of journal.records()) expect(validate("JournalRecord", record)).toEqual([]);
    expect(journal.records().filter(({ type }) => type === "begin")).toHaveLength(1);
  });

  it("refuses what it cannot read [JOURNAL-13]", () => {
    const snapshot = initState(initSession({ id: "s", user: "Go." }), "main");
    const begin: JournalRecord = { type: "begin", spec_version: "1.0", snapshot };
    expect(foldJournal([{ ...begin, spec_version: "1.7" }])).toEqual(snapshot);
    expect(() => foldJournal([{ ...begin, spec_version: "2.0" }])).toThrow("version 2.0");
    expect(() => foldJournal([])).toThrow("empty");
    expect(() => foldJournal([{ type: "tool_started", id: "a", name: "b" }])).toThrow("Its beginning is missing");
    expect(() => foldJournal([begin, { type: "tool_paused" } as never])).toThrow("tool_paused");
  });

  it.each(["done", "suspended"] as const)("refuses a run that is %s, and nothing says why [JOURNAL-33]", (phase) => {
    const begin = unwritten()(initState(initSession({ id: "s1", user: "Hi" }), "main"))!;
    const end = { type: "transition", phase, turn: 0 } as const;
    expect(() => foldJournal([begin, end])).toThrow("gap before record 2: the run is " + phase);
    expect(foldJournal([begin, { ...end, set: { ending: { status: "cancelled" } } }])).toMatchObject({ phase });
  });

  it("refuses steps behind a gap [JOURNAL-33]", () => {
    const begin = unwritten()(initState(initSession({ id: "s1", user: "Hi" }), "main"))!;
    const next: JournalRecord = { type: "transition", phase: "deciding", turn: 1, steps: { from: 1, items: [] } };
    expect(() => foldJournal([begin, next])).toThrow("gap before record 2: 1 steps stay, and there are 0");
  });

  it("leaves the records as they are, whatever is done with it", () => {
    const snapshot = { ...initState(initSession({ id: "s", user: "Go." }), "main"), counters: { a: 1 } };
    const record: JournalRecord = { type: "begin", spec_version: "1.0", snapshot };
    const before = JSON.stringify(record);
    const folded = foldJournal([record]);
    folded.session.messages.push({ role: "user", content: "More." });
    folded.counters!["a"] = 2;
    folded.steps.push({} as never);
    expect(JSON.stringify(record)).toBe(before);
  });
});

describe("what is not written yet", () => {
  const begun = () => initState(initSession({ id: "s", user: "Go." }), "main");
  const text = (content: string): Message => ({ role: "assistant", content });

  it("is the whole state, then what is different, then nothing", () => {
    const news = unwritten();
    const state = begun();
    expect(news(state)).toEqual({ type: "begin", spec_version: "1.0", snapshot: begun() });
    expect(news(state)).toBeUndefined();
    state.session.messages.push(text("Hello."));
    const next = { ...state, phase: "done" as const, ending: { status: "completed" as const } };
    const messages = { from: 1, items: [text("Hello.")] };
    expect(news(next)).toEqual({ type: "transition", phase: "done", turn: 0, messages, set: { ending: next.ending } });
    expect(news({ ...state, phase: "turn_boundary" })).toEqual({
      type: "transition",
      phase: "turn_boundary",
      turn: 0,
      unset: ["ending"],
    });
  });

  it("is not that time has passed alone, which comes with what is next", () => {
    const news = unwritten();
    const at = (elapsed_ms: number) => ({ ...begun(), counters: { elapsed_ms, stop_blocks: 1 } });
    news(at(1));
    expect(news(at(2))).toBeUndefined();
    const set = { counters: { elapsed_ms: 2, stop_blocks: 1 } };
    expect(news({ ...at(2), phase: "deciding" })).toMatchObject({ phase: "deciding", set });
    expect(news({ ...at(2), phase: "deciding", counters: { elapsed_ms: 2, stop_blocks: 2 } })).toMatchObject({
      turn: 0,
    });
  });

  it("is the end of the session from where other messages stand", () => {
    const state = begun();
    const messages = [text("a"), text("b"), text("c")];
    const news = unwritten({ ...state, session: { ...state.session, messages } });
    const shortened = [text("a"), { ...text("b"), compacted: true }] as Message[];
    expect(news({ ...state, session: { ...state.session, messages: shortened } })).toMatchObject({
      messages: { from: 1, items: shortened.slice(1) },
    });
    expect(
      news({ ...state, session: { ...state.session, messages: shortened.slice(0, 1), title: "T" } as never }),
    ).toEqual({
      type: "transition",
      phase: "turn_boundary",
      turn: 0,
      messages: { from: 1, items: [] },
      session: { spec_version: "1.0", id: "s", title: "T" },
    });
  });
});

it("writes as much for the last turn as for the first [JOURNAL-5]", async () => {
  const sizes = async (turns: number) => {
    const invokeModel: InvokeModel = async ({ messages }) =>
      messages.length > 2 * turns
        ? { messages: [{ role: "assistant", content: "Done." }], stop_reason: "end_turn" }
        : { messages: [{ type: "tool_call", id: "", name: "look", input: {} }], stop_reason: "tool_use" };
    const journal = memoryJournal();
    const run = agentLoop({
      session: initSession({ id: `s${turns}`, user: "Go." }),
      provider: { name: "scripted", invokeModel },
      tools: [{ name: "look", input_schema: { type: "object" }, execute: async () => "seen" }],
      options: { max_turns: null },
      journal,
    });
    expect(await run.result).toMatchObject({ status: "completed", turns: turns + 1 });
    return journal.lines.map((line) => line.length);
  };
  const [few, many] = [await sizes(10), await sizes(200)];
  const most = (lines: number[]) => Math.max(...lines.slice(1));
  expect(most(many)).toBeLessThan(most(few) + 50);
});
