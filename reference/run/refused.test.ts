// What is not the end of a run: a refusal, and a run that goes on elsewhere. And who keeps a second run away.

import { describe, expect, it } from "vitest";

import { initSession } from "../core/session.ts";
import { SupersededError, type Journal } from "../state/journal-records.ts";
import { memoryJournal } from "../testing/memory-journal.ts";
import { defineTool } from "../tools/define-tool.ts";
import type { ModelResponse } from "../../schemas/types.ts";
import { agentLoop, recover, resume } from "./run.ts";
import type { RunSetup } from "./setup.ts";

const answer = (content: string): ModelResponse => ({
  messages: [{ role: "assistant", content }],
  stop_reason: "end_turn",
});
const use = (...names: string[]): ModelResponse => ({
  messages: names.map((name) => ({ type: "tool_call", id: name, name, input: {} })),
  stop_reason: "tool_use",
});
const session = (id = "s") => initSession({ id, user: "Pay." });

function setupOf(responses: ModelResponse[], starts: string[] = []): RunSetup {
  const pay = defineTool({
    name: "pay",
    input_schema: { type: "object" },
    execute: () => (starts.push("pay"), "receipt 77"),
  });
  const provider = { name: "scripted", invokeModel: async () => responses.shift()! };
  return { provider, tools: [pay, defineTool({ name: "ask", input_schema: { type: "object" } })] };
}

/** A journal that another writer takes before the n-th append. */
function takenBefore(nth: number, error: () => Error): Journal & { appends: number } {
  const kept = memoryJournal();
  return {
    appends: 0,
    read: kept.read,
    append(records, at) {
      this.appends += 1;
      return this.appends >= nth ? Promise.reject(error()) : kept.append(records, at);
    },
  };
}

describe("a run that was refused", () => {
  it.each<[string, (setup: RunSetup) => { result: Promise<unknown> }]>([
    ["session that cannot be continued", (setup) => agentLoop({ ...setup, session: { ...session(), messages: [] } })],
    ["option that nobody has", (setup) => agentLoop({ ...setup, session: session(), options: { hurry: 1 } as object })],
    ["value that no run can work with", (setup) => agentLoop({ ...setup, session: session(), hooks: 7 as never })],
    ["empty journal", (setup) => recover({ ...setup, journal: memoryJournal() })],
  ])("says so: %s [RESULT-23]", async (_, begin) => {
    const { result } = begin(setupOf([]));
    expect(await result).toMatchObject({ status: "error", refused: true, turns: 0, steps: [] });
  });

  it("says so of decisions that leave a call out, and of no run that has begun [RESULT-23]", async () => {
    const setup = setupOf([use("ask"), { messages: [], stop_reason: "error" }]);
    const first = await agentLoop({ ...setup, session: session() }).result;
    expect(first).toMatchObject({ status: "suspended" });
    const resumed = (decisions: Parameters<typeof resume>[0]["decisions"]) =>
      resume({ ...setup, snapshot: first.snapshot!, decisions }).result;
    expect(await resumed([])).toMatchObject({ status: "error", refused: true });
    const failed = await resumed([{ id: "ask", action: "respond", output: "yes" }]);
    expect([first.refused, failed.status, failed.refused]).toEqual([undefined, "error", undefined]);
  });

  it("writes nothing to its journal, however it is refused [RESULT-23]", async () => {
    const journal = memoryJournal();
    await agentLoop({ ...setupOf([]), journal, session: { ...session(), messages: [] } }).result;
    expect(journal.lines).toEqual([]);
  });
});

describe("a run whose journal another writer has taken", () => {
  it.each([1, 2, 3, 4, 5])("ends superseded, before append %i too [JOURNAL-25]", async (nth) => {
    const starts: string[] = [];
    const journal = takenBefore(nth, () => new SupersededError());
    const { result } = agentLoop({ ...setupOf([use("pay"), answer("Paid.")], starts), journal, session: session() });
    const { status, error, refused } = await result;
    expect([status, error?.kind, refused ?? false]).toEqual(["error", "superseded", nth === 1]);
    expect(journal.appends).toBe(nth); // behind what was refused nothing is written
  });

  it("knows the error by its name, whichever process it comes from [JOURNAL-25]", async () => {
    const error = () => Object.assign(new Error("lease lost"), { name: "SupersededError" });
    const { result } = agentLoop({ ...setupOf([use("pay")]), journal: takenBefore(3, error), session: session() });
    expect((await result).error).toEqual({
      kind: "superseded",
      message: "The run goes on elsewhere, so it stops here: lease lost",
    });
  });

  it("is not one whose store has failed [JOURNAL-26]", async () => {
    const journal = takenBefore(3, () => new Error("the disk is full"));
    const { result } = agentLoop({ ...setupOf([use("pay")]), journal, session: session() });
    expect((await result).error).toEqual({
      kind: "internal",
      message: "The journal could not be written, so the run stops: the disk is full",
    });
  });

  it("is told behind how many records it writes", async () => {
    const journal = memoryJournal();
    await agentLoop({ ...setupOf([answer("One.")]), journal, session: session() }).result;
    const positions: [number | undefined, number][] = [];
    const recording: Journal = {
      read: journal.read,
      append: (records, at) => (positions.push([at?.after, journal.lines.length]), journal.append(records, at)),
    };
    await agentLoop({ ...setupOf([use("pay"), answer("Two.")]), journal: recording, session: session() }).result;
    expect(positions.length).toBeGreaterThan(3);
    for (const [after, length] of positions) expect(after).toBe(length);
  });
});

describe("the lock of a session", () => {
  const waiting = (): RunSetup => ({
    provider: { name: "scripted", invokeModel: () => new Promise(() => {}) },
  });

  it("keeps a second run away from a session that a first one was given up on [LOOP-72]", async () => {
    agentLoop({ ...waiting(), session: session("given-up") });
    const { result } = agentLoop({ ...setupOf([answer("Hello.")]), session: session("given-up") });
    expect(await result).toMatchObject({ refused: true, error: { kind: "session_in_use" } });
  });

  it("can be left out, by whoever knows that nobody else is there", async () => {
    agentLoop({ ...waiting(), lock: false, session: session("left-out") });
    const { result } = agentLoop({ ...setupOf([answer("Hello.")]), lock: false, session: session("left-out") });
    expect(await result).toMatchObject({ status: "completed" });
  });

  it("can be handed in: it is asked for the session, and told once that the run is over", async () => {
    const seen: string[] = [];
    const lock = async (id: string) => (seen.push(`locked ${id}`), () => void seen.push(`released ${id}`));
    const run = agentLoop({ ...setupOf([answer("Hello.")]), lock, session: session() });
    for await (const { type } of run) if (type === "run_end") seen.push(type);
    expect(seen).toEqual(["locked s", "released s", "run_end"]);
  });

  it("that is handed in refuses the run where it returns nothing, and is not taken for a run that is refused anyway", async () => {
    const requested: string[] = [];
    const lock = (id: string) => (requested.push(id), undefined);
    const { result } = agentLoop({ ...setupOf([]), lock, session: session() });
    expect(await result).toMatchObject({ refused: true, error: { kind: "session_in_use" } });
    await agentLoop({ ...setupOf([]), lock, session: session("t"), options: { hurry: 1 } as object }).result;
    expect(requested).toEqual(["s"]);
  });

  it("is one of three things", async () => {
    const { result } = agentLoop({ ...setupOf([]), lock: true as never, session: session() });
    expect((await result).error?.message).toBe(
      "lock: expected false, or a function that locks a session and returns what releases it, got true.",
    );
  });
});
