// Shows that a second run on a session has to be refused, and that whatever it does says nothing about the first.

import { describe, expect, it } from "vitest";
import type { Case, RunParams, RunResponse, Session } from "../../../schemas/types.ts";
import { judge } from "../checks/judge.ts";
import { firstRunOf } from "../driver/run-names.ts";
import { playInMemory } from "../testing/play-in-memory.ts";

const source: Case = {
  title: "Two runs on one session",
  since: "1.0",
  requires: ["LOOP-72"],
  given: { messages: [{ role: "user", content: "Go." }] },
  model: [{ text: "Done." }],
  actions: [{ when: { request: 1 }, do: { run_again: true } }],
  expect: { status: "completed", second_result: { status: "error", error: { kind: "session_in_use" } } },
};

const usage = {
  input_tokens: null,
  output_tokens: null,
  cache_read_tokens: null,
  cache_write_tokens: null,
  reasoning_tokens: null,
};

/** What a driver answers that refuses the second run. */
function refuse({ run, session, agent }: RunParams): RunResponse | undefined {
  if (run === "r1") return undefined;
  const counts = { turns: 0, tool_calls: 0, usage, usage_by_model: {}, steps: [] };
  const ending = { final_text: "", stop_reason: null, raw_stop_reason: null };
  const error = { kind: "session_in_use" as const, message: "another run is under way" };
  return { result: { status: "error", error, agent, ...counts, ...ending }, session };
}

describe("a second run on a session", () => {
  it("is given the session of the first, under its own name", async () => {
    const started: { run: string; session: Session }[] = [];
    await playInMemory(source, (params) => started.push(params as RunParams), refuse);
    expect(started.map(({ run }) => run)).toEqual(["r1", "r1-again"]);
    expect(started[1]!.session).toEqual(started[0]!.session);
    expect(started.map(({ run }) => firstRunOf(run))).toEqual(["r1", "r1"]);
  });
  it("is accepted if it is refused", async () => {
    expect(judge(await playInMemory(source, undefined, refuse))).toEqual([]);
  });
  it("is a failure of that requirement if it is not refused", async () => {
    const accept = (params: RunParams): RunResponse | undefined => {
      const { result, session } = refuse(params) ?? {};
      if (!result || !session) return undefined;
      const { error: _, ...others } = result;
      return { result: { ...others, status: "completed" }, session };
    };
    const failures = judge(await playInMemory(source, undefined, accept));
    expect(failures.map(({ requirement, path }) => `${requirement} ${path}`)).toEqual([
      "LOOP-72 /expect/second_result/status",
      "LOOP-72 /expect/second_result/error",
    ]);
  });
});
