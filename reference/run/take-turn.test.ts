// A run in visits of one turn each comes to what it comes to in one go, wherever each visit takes place.

import { describe, expect, it } from "vitest";

import { initSession } from "../core/session.ts";
import type { Watch } from "../events/watchers.ts";
import { foldJournal } from "../state/journal-records.ts";
import { memoryJournal } from "../testing/memory-journal.ts";
import { defineTool } from "../tools/define-tool.ts";
import type { Message, ModelResponse } from "../../schemas/types.ts";
import { agentLoop, takeTurn } from "./run.ts";
import type { RunSetup } from "./setup.ts";

const call = (id: string, name: string): Message => ({ type: "tool_call", id, name, input: {} });
const script: Message[][] = [
  [call("a", "look"), call("b", "look")],
  [call("c", "pay")],
  [{ role: "assistant", content: "Paid." }],
];
const answerOf = (messages: Message[]): ModelResponse => ({
  messages: structuredClone(messages),
  stop_reason: messages[0]!.type === "tool_call" ? "tool_use" : "end_turn",
});

/** The model answers by what it is sent, so that it does not matter which visit asks. */
function setupOf(starts: string[], more: Partial<RunSetup> = {}): RunSetup {
  const invokeModel: RunSetup["provider"]["invokeModel"] = async ({ messages }) => {
    const ids = new Set(messages.flatMap((one) => (one.type === "tool_call" ? [one.id] : [])));
    return answerOf(script.find(([first]) => first!.type !== "tool_call" || !ids.has(first!.id))!);
  };
  const tool = (name: string, annotations = {}) =>
    defineTool({
      name,
      annotations,
      input_schema: { type: "object" },
      execute: (_, { call: { id } }) => (starts.push(id), `${name} ${id}`),
    });
  return {
    provider: { name: "scripted", invokeModel },
    tools: [tool("look", { read_only: true }), tool("pay")],
    ...more,
  };
}

const session = () => initSession({ id: "s", user: "Pay." });

describe("a turn at a time", () => {
  it("comes to the same as in one go, and executes nothing twice", async () => {
    const [whole, starts]: string[][] = [[], []];
    const undisturbed = await agentLoop({ ...setupOf(whole!), session: session() }).session;
    const journal = memoryJournal();
    const visits = [];
    do visits.push(await takeTurn({ ...setupOf(starts!), journal, session: session() }));
    while (visits.at(-1) === undefined);
    expect(visits.map((result) => result?.status)).toEqual([undefined, undefined, "completed"]);
    expect(starts).toEqual(whole);
    expect(foldJournal(journal.records()).session.messages).toEqual(undisturbed.messages);
    expect(visits.at(-1)).toMatchObject({ turns: 3, tool_calls: 3, final_text: "Paid." });
  });

  it("emits a turn whole before it returns, and keeps it first", async () => {
    const seen: string[] = [];
    const journal = memoryJournal();
    const watch: Watch[] = [() => ({ onEvent: ({ type }) => void seen.push(`${type} ${journal.lines.length}`) })];
    await takeTurn({ ...setupOf([]), journal, session: session(), watch });
    const written = journal.lines.length;
    expect(seen.slice(-1)).toEqual([`turn_end ${written}`]);
    expect(seen.filter((one) => one === `message ${written}`)).toHaveLength(2);
    expect(foldJournal(journal.records())).toMatchObject({ phase: "turn_boundary", turn: 1 });
  });

  it("stops at a suspension, and goes on with the decisions", async () => {
    const starts: string[] = [];
    const setup = setupOf(starts, {
      options: { permissions: { mode: "bypass", rules: [{ effect: "ask", match: "pay" }] } },
    });
    const journal = memoryJournal();
    const visit = (decisions?: Parameters<typeof takeTurn>[0]["decisions"]) =>
      takeTurn({ ...setup, journal, session: session(), ...(decisions && { decisions }) });
    await visit();
    const waiting = await visit();
    expect([waiting?.error?.message ?? waiting?.status, (await visit())?.status]).toEqual(["suspended", "suspended"]);
    const decisions = waiting!.pending!.map(({ id, input_hash }) => ({
      id,
      action: "approve" as const,
      input_hash: input_hash!,
    }));
    expect(await visit(decisions)).toBeUndefined();
    expect(await visit()).toMatchObject({ status: "completed", turns: 3 });
    expect(starts).toEqual(["a", "b", "c"]);
  });

  it("returns the result once more where the run has ended, and the error of the caller where it is thrown", async () => {
    const journal = memoryJournal();
    const setup = { ...setupOf([], { options: { max_turns: 1 } }), journal, session: session() };
    expect([(await takeTurn(setup))?.status, (await takeTurn(setup))?.status]).toEqual(["max_turns", "max_turns"]);
    const failing = () => Promise.reject(new RangeError("given up"));
    const rethrow = (error: unknown) => error instanceof RangeError;
    const provider = { name: "scripted", invokeModel: failing };
    await expect(takeTurn({ ...setup, journal: memoryJournal(), provider, rethrow })).rejects.toThrow("given up");
  });

  it("makes no more appends than the run in one go", async () => {
    const journal = memoryJournal();
    const appends: string[] = [];
    const append: typeof journal.append = (records, at) => {
      appends.push(records.map((one) => (one.type === "transition" ? one.phase : one.type)).join(" "));
      return journal.append(records, at);
    };
    const counted = { read: journal.read, append };
    while (!(await takeTurn({ ...setupOf([]), journal: counted, session: session() })));
    expect(appends).toEqual([
      "begin",
      "deciding",
      "executing tool_started tool_started",
      "tool_finished",
      "tool_finished turn_boundary",
      "deciding",
      "executing tool_started",
      "tool_finished turn_boundary",
      "deciding",
      "turn_boundary",
      "done",
    ]);
  });
});
