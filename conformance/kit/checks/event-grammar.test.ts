// Runs that follow the grammar are accepted; each way to break it is found, for the right requirement.

import { describe, expect, it } from "vitest";
import type { LoopEvent } from "../../../schemas/types.ts";
import { checkGrammar } from "./event-grammar.ts";

const message = { role: "assistant", content: "Hi." } as const;
const call = { id: "c", name: "look" };

const followUp = { role: "user", content: "Go on." } as const;
const error = { kind: "overloaded", message: "Busy." } as const;

/** Words that stand for an event of another type. */
const types: Record<string, string> = {
  resumed: "turn_start",
  said: "message",
  ended_by: "run_end",
  failed: "model_end",
};
/** Events that name the turn that has ended. */
const betweenTurns = ["limit", "switch_model", "compaction"];

/** Events from short words: `turn_start:2` sets the turn of what follows. */
function events(words: string): LoopEvent[] {
  let turn = 1;
  let ended = 0;
  return words.split(/\s+/).map((word, seq): LoopEvent => {
    const [type = "", number = "0"] = word.split(":");
    if (type === "turn_start" && number !== "0") turn = Number(number);
    const fields: Record<string, object> = {
      run_start: { session_id: "s", agent: "main" },
      run_end: { result: { status: "completed" } },
      ended_by: { result: { status: number } },
      model_end: { stop_reason: "end_turn" },
      failed: { stop_reason: "error", error },
      attempt_start: { attempt: Number(number) },
      attempt_end: { attempt: Number(number), stop_reason: "end_turn" },
      retry: { attempt: 1, wait_ms: Number(number), error },
      fallback: { model: "other", error },
      wait_start: { wait_ms: 500 },
      message: { message },
      said: { message: followUp },
      message_start: { index: Number(number), message },
      message_delta: { index: Number(number), delta: "x" },
      message_end: { index: Number(number) },
      tool_start: { ...call, id: `c${number}`, input: {} },
      tool_progress: { ...call, id: `c${number}`, progress: 1 },
      tool_end: { ...call, id: `c${number}`, outcome: "ok" },
      tool_late_result: { ...call, id: `c${number}` },
      handoff: { from: "main", to: "other" },
      switch_model: { model: "other" },
      compaction: { strategy: "own", from: 0, to: 1, messages: [], before_tokens: 2, after_tokens: 1 },
      limit: { limit: "max_turns", status: number === "0" ? "max_turns" : number },
      warning: { code: "id_mapped", message: "x" },
      resumed: { resumed: true },
    };
    const name = types[type] ?? type;
    const says = betweenTurns.includes(name) ? { turn: ended } : { turn };
    if (name === "turn_end") ended = turn;
    const isOfRun = name === "run_start" || name === "run_end";
    return { type: name, seq, ...(!isOfRun && says), ...fields[type] } as unknown as LoopEvent;
  });
}

/** A run of one turn whose model call has these events. */
const calling = (words: string) => `run_start turn_start model_start ${words} model_end message turn_end run_end`;
/** A run of one turn that has these events after its model call. */
const doing = (words: string) => `run_start turn_start model_start model_end message ${words} turn_end run_end`;

describe("accepted", () => {
  it.each([
    "run_start run_end",
    "run_start com.example.thought turn_start com.example.tick model_start model_end message turn_end run_end",
    "run_start said:0 turn_start model_start model_end message turn_end run_end",
    "run_start turn_start model_start message_start:0 message_delta:0 message_start:1 message_end:1 message_end:0 model_end message turn_end run_end",
    "run_start turn_start model_start model_end message tool_start:1 tool_start:2 tool_end:2 tool_end:1 message message turn_end turn_start:2 model_start model_end turn_end run_end",
    "run_start resumed tool_start:1 tool_end:1 message turn_end run_end",
    "run_start turn_start model_start warning model_end tool_start:1 tool_end:1 message turn_end tool_late_result:1 warning run_end",
    calling("attempt_start:1 message_start:0 message_end:0 attempt_end:1"),
    calling("attempt_start:1 attempt_end:1 retry:500 wait_start wait_end attempt_start:2 attempt_end:2"),
    calling(
      "attempt_start:1 attempt_end:1 retry:0 attempt_start:2 attempt_end:2 fallback attempt_start:3 attempt_end:3",
    ),
    calling("attempt_start:1 message_start:0 attempt_end:1 attempt_start:2 message_end:0 attempt_end:2"),
    doing("tool_start:1 tool_progress:1 tool_start:2 tool_progress:1 tool_end:1 tool_end:2 message message handoff"),
    "run_start switch_model said turn_start model_start model_end turn_end switch_model limit ended_by:max_turns",
    "run_start compaction turn_start model_start model_end turn_end said compaction compaction run_end",
    "run_start turn_start model_start failed turn_end run_end",
  ])("%s", (words) => expect(checkGrammar(events(words))).toEqual([]));
  it("what a declared feature adds", () => {
    const run = calling("attempt_start:1 attempt_end:1 retry:500 wait_start wait_end attempt_start:2 attempt_end:2");
    expect(checkGrammar(events(run), { features: ["retry", "limits"] })).toEqual([]);
    const failed = "run_start turn_start model_start failed turn_end limit:deadline ended_by:deadline";
    const named = events(failed).map((event) => (event.type === "limit" ? { ...event, limit: "deadline_ms" } : event));
    expect(checkGrammar(named, { features: ["retry", "limits"] })).toEqual([]);
  });
});

describe("refused", () => {
  it.each([
    ["EVENT-1", "turn_start run_end"],
    ["EVENT-1", "run_start run_start run_end"],
    ["EVENT-2", "run_start turn_start model_start model_end turn_end"],
    ["EVENT-2", "run_start run_end warning"],
    ["EVENT-4", "run_start turn_start model_start model_end run_end"],
    ["EVENT-4", "run_start turn_start model_start model_end turn_start:2 turn_end run_end"],
    ["EVENT-4", "run_start turn_end run_end"],
    ["EVENT-4", "run_start turn_start model_start model_end turn_end message run_end"],
    [
      "EVENT-4",
      "run_start turn_start model_start model_end tool_start:1 tool_end:1 message tool_start:2 tool_end:2 turn_end run_end",
    ],
    ["EVENT-5", "run_start turn_start turn_end run_end"],
    ["EVENT-5", "run_start turn_start model_start turn_end run_end"],
    ["EVENT-5", "run_start turn_start model_end turn_end run_end"],
    ["EVENT-5", "run_start turn_start model_start model_end model_start model_end turn_end run_end"],
    ["EVENT-5", "run_start turn_start model_start message model_end turn_end run_end"],
    ["EVENT-5", "run_start resumed model_start model_end turn_end run_end"],
    ["EVENT-6", "run_start turn_start model_start message_start:0 model_end turn_end run_end"],
    ["EVENT-6", "run_start turn_start model_start message_delta:0 model_end turn_end run_end"],
    [
      "EVENT-6",
      "run_start turn_start model_start message_start:0 message_end:0 message_delta:0 model_end turn_end run_end",
    ],
    ["EVENT-6", "run_start turn_start model_start message_start:1 message_end:1 model_end turn_end run_end"],
    ["EVENT-6", "run_start turn_start model_start model_end message_start:0 message_end:0 turn_end run_end"],
    ["EVENT-8", "run_start turn_start model_start model_end tool_start:1 turn_end run_end"],
    ["EVENT-8", "run_start turn_start model_start model_end tool_end:1 turn_end run_end"],
    ["EVENT-8", "run_start turn_start model_start model_end tool_start:1 message tool_end:1 turn_end run_end"],
    ["EVENT-8", "run_start turn_start model_start model_end tool_start:1 tool_start:1 tool_end:1 turn_end run_end"],
    [
      "EVENT-12",
      "run_start turn_start model_start model_end tool_start:1 tool_late_result:1 tool_end:1 turn_end run_end",
    ],
    ["EVENT-4", "run_start turn_start:2 model_start model_end turn_end run_end"],
    ["EVENT-4", "run_start said turn_start model_start model_end turn_end message run_end"],
    ["EVENT-4", doing("tool_start:1 tool_end:1 message tool_start:2 tool_end:2 message")],
    ["EVENT-5", doing("retry:500")],
    ["EVENT-5", doing("fallback")],
    ["EVENT-13", calling("attempt_start:1")],
    ["EVENT-13", calling("attempt_end:1")],
    ["EVENT-13", calling("attempt_start:2 attempt_end:2")],
    ["EVENT-13", calling("attempt_start:1 attempt_start:2 attempt_end:2 attempt_end:1")],
    ["EVENT-13", calling("attempt_start:1 retry:500 wait_start wait_end attempt_end:1")],
    ["EVENT-13", doing("attempt_start:1 attempt_end:1")],
    [
      "EVENT-13",
      "run_start turn_start model_start attempt_start:1 attempt_end:1 model_end turn_end turn_start:2 model_start model_end turn_end run_end",
    ],
    ["EVENT-14", calling("attempt_start:1 attempt_end:1 retry:500 wait_start attempt_start:2 attempt_end:2")],
    ["EVENT-14", calling("attempt_start:1 attempt_end:1 wait_end")],
    ["EVENT-14", calling("retry:500 wait_start wait_end retry:500")],
    ["EVENT-14", doing("wait_start wait_end")],
    ["EVENT-15", "run_start limit turn_start model_start model_end turn_end ended_by:max_turns"],
    ["EVENT-15", "run_start limit limit ended_by:max_turns"],
    ["EVENT-15", "run_start limit:deadline ended_by:deadline"],
    ["EVENT-15", "run_start limit run_end"],
    ["EVENT-15", doing("limit")],
    ["EVENT-8", doing("tool_start:1 handoff tool_end:1 message")],
    ["EVENT-16", doing("tool_start:1 tool_end:1 handoff message")],
    ["EVENT-16", doing("handoff handoff")],
    ["EVENT-16", "run_start handoff turn_start model_start model_end turn_end run_end"],
    ["EVENT-17", doing("switch_model")],
    ["EVENT-17", calling("switch_model")],
    ["COMPACT-21", doing("compaction")],
    ["COMPACT-21", calling("compaction")],
    ["EVENT-15", "run_start limit compaction ended_by:max_turns"],
    ["TOOL-31", doing("tool_progress:1")],
    ["TOOL-31", doing("tool_start:1 tool_end:1 tool_progress:1")],
  ])("%s: %s", (requirement, words) => expect(checkGrammar(events(words))[0]?.requirement).toBe(requirement));
  it.each([
    ["EVENT-13", "run_start turn_start model_start model_end turn_end run_end"],
    ["EVENT-14", calling("attempt_start:1 attempt_end:1 retry:500 attempt_start:2 attempt_end:2")],
    ["EVENT-15", "run_start ended_by:max_turns"],
  ])("%s, where its feature is declared: %s", (requirement, words) => {
    expect(checkGrammar(events(words))).toEqual([]);
    const found = checkGrammar(events(words), { features: ["retry", "limits"] });
    expect(found[0]?.requirement).toBe(requirement);
  });
  it("EVENT-15 and EVENT-17: a turn that is not the one that has ended", () => {
    const run = events("run_start turn_start model_start model_end turn_end switch_model limit ended_by:max_turns");
    const with7 = (type: string) =>
      run.map((event) => (event.type === type ? { ...event, turn: 7 } : event) as LoopEvent);
    expect(checkGrammar(with7("limit"))[0]?.requirement).toBe("EVENT-15");
    expect(checkGrammar(with7("switch_model"))[0]?.requirement).toBe("EVENT-17");
  });
  it("EVENT-3: a gap in seq, and an event that says another turn", () => {
    const gap = events("run_start run_end").map((event) => ({ ...event, seq: event.seq * 2 }));
    expect(checkGrammar(gap)[0]?.requirement).toBe("EVENT-3");
    const turn = events("run_start turn_start model_start model_end turn_end run_end").map((event) =>
      event.type === "model_end" ? { ...event, turn: 7 } : event,
    );
    expect(checkGrammar(turn)[0]?.requirement).toBe("EVENT-4");
  });
  it("leaves aside names with a dot between the first and the last event, but not their numbers [KIT-37]", () => {
    const run = "run_start turn_start model_start model_end tool_start:1 tool_end:1 message turn_end run_end".split(
      " ",
    );
    const withTick = (at: number) => events(run.toSpliced(at, 0, "com.example.tick").join(" "));
    for (let at = 1; at < run.length; at += 1) {
      expect(checkGrammar(withTick(at))).toEqual([]);
      const miscounted = withTick(at).map((event, index) => (index === at ? { ...event, seq: 99 } : event));
      expect(checkGrammar(miscounted)[0]).toMatchObject({ requirement: "EVENT-3", path: `/events/${at}` });
    }
    expect(checkGrammar(withTick(0))[0]?.requirement).toBe("EVENT-1");
    expect(checkGrammar(withTick(run.length))[0]?.requirement).toBe("EVENT-2");
  });
  it("EVENT-1: no events at all", () => expect(checkGrammar([])[0]?.requirement).toBe("EVENT-1"));
});
