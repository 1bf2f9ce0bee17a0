// Shows that a run on another session has to be as it would be alone, and that whatever it does is found at it.

import { describe, expect, it } from "vitest";
import type { Case, RunParams, RunResponse } from "../../../schemas/types.ts";
import { judge } from "../checks/judge.ts";
import { firstRunOf } from "../driver/run-names.ts";
import { playInMemory } from "../testing/play-in-memory.ts";

const source: Case = {
  title: "Two runs at once",
  since: "1.1",
  requires: ["LOOP-120"],
  features: ["runs_at_once"],
  given: { messages: [{ role: "user", content: "Go." }] },
  model: [{ text: "Done." }],
  actions: [{ when: { request: 1 }, do: { run_beside: "And this?" } }],
  expect: { status: "completed" },
};

const usage = {
  input_tokens: null,
  output_tokens: null,
  cache_read_tokens: null,
  cache_write_tokens: null,
  reasoning_tokens: null,
};

/** What a driver answers to the run beside, with another number of turns and other messages than it has. */
function mixedUp({ run, session, agent }: RunParams): RunResponse | undefined {
  if (run === "r1") return undefined;
  const counts = { turns: 2, tool_calls: 0, usage, usage_by_model: {}, steps: [] };
  const ending = { final_text: "Noted beside.", stop_reason: "end_turn" as const, raw_stop_reason: null };
  const still_running = [{ id: "call_1", name: "work" }];
  return { result: { status: "completed", agent, ...counts, ...ending, still_running }, session };
}

describe("a run on another session", () => {
  it("is given a session of its own, in which its user says one thing", async () => {
    const started: RunParams[] = [];
    await playInMemory(source, (params) => started.push(params as RunParams));
    expect(started.map(({ run }) => [run, firstRunOf(run)])).toEqual([
      ["r1", "r1"],
      ["r1-beside", "r1"],
    ]);
    expect(started[1]!.session).toMatchObject({ messages: [{ role: "user", content: "And this?" }] });
    expect(started[1]!.session.id).not.toBe(started[0]!.session.id);
  });
  it("is accepted if it is as it would be alone", async () => {
    expect(judge(await playInMemory(source))).toEqual([]);
  });
  it("is a failure of that requirement if it has turns, messages or tools of the first", async () => {
    const failures = judge(await playInMemory(source, undefined, mixedUp));
    expect(failures.map(({ requirement, message }) => `${requirement} ${message}`)).toEqual([
      expect.stringMatching(/^LOOP-120 .*another result: .*turns/),
      expect.stringMatching(/^LOOP-120 .*tools of the first as still running/),
      expect.stringMatching(/^LOOP-120 .*another session: /),
    ]);
  });
});
