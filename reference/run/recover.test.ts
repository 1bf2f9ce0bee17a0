// Going on from a journal: after any record, only once, and not when it cannot be written.

import type { RunSetup } from "./setup.ts";
import { describe, expect, it } from "vitest";

import { agentLoop, recover, resume, type Run } from "./run.ts";
import { virtualClock } from "../support/clock.ts";
import type { InvokeModel, ToolReturn } from "../core/ports.ts";
import { initSession } from "../core/session.ts";
import type { DefinedTool } from "../tools/define-tool.ts";
import { foldJournal, type Journal } from "../state/journal-records.ts";
import { checkSession } from "../state/check-session.ts";
import type { Points } from "../plugins/plugin.ts";
import { denied } from "../state/tool-results.ts";
import { memoryJournal } from "../testing/memory-journal.ts";
import { validate } from "../../conformance/kit/base/validate.ts";
import { checkGrammar } from "../../conformance/kit/checks/event-grammar.ts";
import type { JournalRecord, LoopEvent, Message, ResumeDecision, RunResult, Session } from "../../schemas/types.ts";

const call = (id: string, name: string): Message => ({ type: "tool_call", id, name, input: {} });
const idOf = (message: Message) => (message.type === "tool_call" ? message.id : undefined);
const script: Message[][] = [
  [call("a", "look"), call("b", "write")],
  [call("c", "count"), call("d", "write")],
  [call("e", "hand_over")],
  [call("f", "write"), call("g", "look")],
  [{ role: "assistant", content: "Done." }],
];

/** What it says follows from what was said, so that it does not matter which process asks. */
const scripted =
  (answers: Message[][] = script): InvokeModel =>
  async ({ messages }) => {
    const steered = answers.filter(([first]) =>
      messages.some((one) => one.type === "tool_call" && `${one.id}` === idOf(first!)),
    );
    const next = answers[steered.length]!;
    return { messages: structuredClone(next), stop_reason: next[0]!.type === "tool_call" ? "tool_use" : "end_turn" };
  };

function setupOf(starts: string[] = [], more: Partial<RunSetup> = {}): RunSetup {
  const tool = (name: string, idempotent: boolean, returned: ToolReturn = {}): DefinedTool => ({
    name,
    input_schema: { type: "object" },
    annotations: { idempotent },
    async execute(_input, { call: { id }, context }) {
      starts.push(id);
      return { output: `${name} ${id} ${JSON.stringify(context)}`, ...returned };
    },
  });
  const tools = [
    tool("look", true),
    tool("write", false),
    tool("count", false, { context_updates: { counted: 1 } }),
    tool("hand_over", false, { handoff: "other" }),
  ];
  return {
    provider: { name: "scripted", invokeModel: scripted() },
    agents: { main: { name: "main", tools }, other: { name: "other", tools } },
    agent: "main",
    hooks: [{ point: "after_tool", run: async ({ call }) => ({ add_context: `seen ${call!.id}` }) }],
    clock: virtualClock(),
    ...more,
  };
}

interface Ended {
  result: RunResult;
  session: Session;
  events: LoopEvent[];
}

async function ended(run: Run): Promise<Ended> {
  const events: LoopEvent[] = [];
  for await (const event of run) events.push(event);
  return { result: await run.result, session: await run.session, events };
}

function isRunning(records: JournalRecord[]): boolean {
  const count = (type: JournalRecord["type"]) => records.filter((record) => record.type === type).length;
  return count("tool_started") > count("tool_finished");
}

let sessions = 0;
const newSession = () => initSession({ id: `s${(sessions += 1)}`, user: "Go." });
const decide = ({ pending = [] }: RunResult): ResumeDecision[] =>
  pending.map(({ id, input_hash }) => ({ id, action: "approve", input_hash: input_hash! }));

describe("a run whose process ended", () => {
  it("goes on after any record as if it had not [JOURNAL-6 JOURNAL-7 JOURNAL-8 JOURNAL-9]", async () => {
    const journal = memoryJournal();
    const straight = await ended(agentLoop({ ...setupOf(), session: newSession(), journal }));
    expect(straight.result).toMatchObject({ status: "completed", agent: "other", turns: 5 });
    expect(JSON.stringify(straight.session)).toContain("seen d");
    const records = journal.records();
    for (let n = 1; n <= records.length; n += 1) {
      const cut = memoryJournal(records.slice(0, n));
      const starts: string[] = [];
      const again = await ended(recover({ ...setupOf(starts), journal: cut }));
      const lost = again.session.messages.flatMap((one) =>
        one.type === "tool_result" && one.outcome === "interrupted" ? [one.id] : [],
      );
      const before = records.slice(0, n);
      const started = before.flatMap((one) => (one.type === "tool_started" ? [one.id] : []));
      const finished = before.flatMap((one) => (one.type === "tool_finished" ? [one.result.id] : []));
      const running = started.filter((id) => !finished.includes(id));
      const mayRunTwice: string[] = running.filter((id) => id === "a" || id === "g"); // look
      expect(lost).toEqual(running.filter((id) => !mayRunTwice.includes(id)));
      expect(starts.filter((id) => started.includes(id))).toEqual(mayRunTwice);
      expect(again.result.status).toBe("completed");
      expect(foldJournal(cut.records()).session).toEqual(again.session);
      expect(checkGrammar(again.events)).toEqual([]);
      if (lost.length > 0) continue;
      expect(again.session).toEqual(straight.session);
      expect(again.result.context).toEqual(straight.result.context);
      expect(again.result.steps.map(({ tools }) => tools?.map(({ id }) => id))).toEqual(
        straight.result.steps.map(({ tools }) => tools?.map(({ id }) => id)),
      );
    }
  });

  it("says of a call that was running and is not permitted any more that it may have had effects [JOURNAL-20]", async () => {
    const journal = memoryJournal();
    await ended(agentLoop({ ...setupOf(), session: newSession(), journal }));
    const records = journal.records();
    const running = records.slice(0, records.findIndex(({ type }) => type === "tool_started") + 1); // of look
    const review: Points["review"] = (call, decision) =>
      call.id === "a" || call.id === "b" ? denied(call, "it is not permitted") : decision;
    const use = [{ name: "stricter", attach: () => ({ review }) }];
    const starts: string[] = [];
    const again = await ended(recover({ ...setupOf(starts, { use }), journal: memoryJournal(running) }));
    const outcomes = again.session.messages.flatMap((one) => (one.type === "tool_result" ? [one.outcome] : []));
    expect(outcomes.slice(0, 2)).toEqual(["interrupted", "denied"]);
    expect(JSON.stringify(again.session)).toContain("may have had effects");
    expect(starts).not.toContain("a");
  });

  it("can end in the same batch again and again", async () => {
    const journal = memoryJournal();
    const straight = await ended(agentLoop({ ...setupOf(), session: newSession(), journal }));
    let records = journal.records().slice(0, 1);
    const starts: string[] = [];
    for (let deaths = 0; foldJournal(records).phase !== "done"; deaths += 1) {
      expect(deaths).toBeLessThan(100);
      const next = memoryJournal(records);
      await ended(recover({ ...setupOf(starts), journal: next }));
      const all = next.records();
      // Two records more than before, or as many as it takes that no tool is running.
      let kept = Math.min(all.length, records.length + 2);
      while (kept < all.length && isRunning(all.slice(0, kept))) kept += 1;
      records = all.slice(0, kept);
    }
    expect(foldJournal(records).session).toEqual(straight.session);
  });

  it("is given its result once more if it had ended, and its pending calls if it was suspended", async () => {
    const journal = memoryJournal();
    const options = {
      permissions: {
        rules: [
          { effect: "ask", match: "write" },
          { effect: "allow", match: "*" },
        ],
      },
    } as const;
    const setup = setupOf([], { options: options as never });
    const first = await ended(agentLoop({ ...setup, session: newSession(), journal }));
    expect(first.result.pending).toHaveLength(1);
    const again = await ended(recover({ ...setup, journal }));
    expect(again.result.pending).toEqual(first.result.pending);
    expect(again.session).toEqual(first.session);
    const lines = journal.lines.length;
    let { result } = again;
    while (result.status === "suspended") {
      result = (await ended(resume({ ...setup, journal, snapshot: result.snapshot!, decisions: decide(result) })))
        .result;
    }
    expect(result.status).toBe("completed");
    expect(journal.lines.length).toBeGreaterThan(lines);
    const starts: string[] = [];
    const once = await ended(recover({ ...setupOf(starts), journal }));
    expect(once.result).toMatchObject({ status: "completed", final_text: "Done." });
    expect(starts).toEqual([]);
  });

  it("ends as a hook had decided, though that hook is not asked again", async () => {
    const block = { point: "after_model", run: async () => ({ block: "no tools" }) } as const;
    const journal = memoryJournal();
    await ended(agentLoop({ ...setupOf([], { hooks: [block] }), session: newSession(), journal }));
    const deciding = journal.records().findIndex((one) => one.type === "transition" && one.phase === "deciding");
    const starts: string[] = [];
    const cut = memoryJournal(journal.records().slice(0, deciding + 1));
    const { result } = await ended(recover({ ...setupOf(starts, { hooks: [] }), journal: cut }));
    expect(result).toMatchObject({ status: "stopped", stop_condition: "blocked", reason: "no tools" });
    expect(starts).toEqual([]);
  });

  it("is refused, or goes on as if nothing had been, whichever record its store has lost [JOURNAL-33]", async () => {
    const journal = memoryJournal();
    const straight = await ended(agentLoop({ ...setupOf(), session: newSession(), journal }));
    const records = journal.records();
    let refusals = 0;
    for (let lost = 1; lost < records.length - 1; lost += 1) {
      const store = memoryJournal(records.toSpliced(lost, 1));
      const starts: string[] = [];
      const { result, session } = await ended(recover({ ...setupOf(starts), journal: store }));
      const what = `without record ${lost}, ${JSON.stringify(records[lost])}`;
      expect(starts, what).toEqual([]);
      expect(store.lines, what).toHaveLength(records.length - 1);
      if (result.error?.kind === "configuration") refusals += 1;
      else expect(session, what).toEqual(straight.session);
    }
    expect(refusals).toBeGreaterThan(records.length / 2);
  });

  it("is not there in an empty journal, and says so", async () => {
    const { result, session } = await ended(recover({ ...setupOf(), journal: memoryJournal() }));
    expect(result).toMatchObject({ status: "error", error: { kind: "configuration", message: /empty/ } });
    expect(validate("Session", session)).toEqual([]);
  });
});

describe("a suspended run", () => {
  const options = {
    permissions: {
      rules: [
        { effect: "ask", match: "write" },
        { effect: "allow", match: "*" },
      ],
    },
  } as never;

  it("is resumed once: the second time nothing is executed [JOURNAL-11]", async () => {
    const starts: string[] = [];
    const setup = setupOf(starts, { options });
    const journal = memoryJournal();
    const { result } = await ended(agentLoop({ ...setup, session: newSession(), journal }));
    const go = () => ended(resume({ ...setup, journal, snapshot: result.snapshot!, decisions: decide(result) }));
    expect((await go()).result.status).toBe("suspended"); // in the next turn
    expect(starts).toEqual(["a", "b"]);
    const { length } = journal.lines;
    const second = await go();
    expect(second.result).toMatchObject({ status: "error", error: { kind: "configuration" } });
    expect(second.session).toEqual(result.snapshot!.session);
    expect(starts).toEqual(["a", "b"]);
    expect(journal.lines).toHaveLength(length);
  });

  it("is not resumed again while the calls that were approved are executed elsewhere, or died there [JOURNAL-11]", async () => {
    const starts: string[] = [];
    const setup = setupOf(starts, { options });
    const journal = memoryJournal();
    const { result } = await ended(agentLoop({ ...setup, session: newSession(), journal }));
    const suspended = journal.lines.length;
    const go = (kept: Journal) =>
      ended(resume({ ...setup, journal: kept, snapshot: result.snapshot!, decisions: decide(result) }));
    await go(journal);
    starts.splice(0);
    const died = memoryJournal(journal.records().slice(0, suspended + 1));
    expect(foldJournal(died.records()).phase).toBe("executing");
    expect((await go(died)).result.error).toMatchObject({ kind: "configuration", message: /resumed already/ });
    expect(starts).toEqual([]);
  });

  it("is resumed once also if both come at the same time, and there is no journal [LOOP-72]", async () => {
    const starts: string[] = [];
    const setup = setupOf(starts, { options });
    const { result } = await ended(agentLoop({ ...setup, session: newSession() }));
    const go = () => ended(resume({ ...setup, snapshot: result.snapshot!, decisions: decide(result) }));
    const both = await Promise.all([go(), go()]); // either may come first
    expect(both.map(({ result: { status, error } }) => error?.kind ?? status).toSorted()).toEqual([
      "session_in_use",
      "suspended",
    ]);
    expect(starts).toEqual(["a", "b"]);
  });

  it("can be resumed with a journal that begins then", async () => {
    const setup = setupOf([], { options });
    const { result } = await ended(agentLoop({ ...setup, session: newSession() }));
    const journal = memoryJournal();
    const go = () => ended(resume({ ...setup, journal, snapshot: result.snapshot!, decisions: decide(result) }));
    expect((await go()).result.status).toBe("suspended");
    expect((await go()).result.error?.message).toContain("not of the run");
  });
});

describe("a journal", () => {
  it("takes one run after another, of its session [JOURNAL-12]", async () => {
    const journal = memoryJournal();
    const one = await ended(agentLoop({ ...setupOf(), session: newSession(), journal }));
    const more: Session = { ...one.session, messages: [...one.session.messages, { role: "user", content: "More." }] };
    const length = journal.lines.join("").length;
    const other = await ended(agentLoop({ ...setupOf(), agent: "other", session: more, journal }));
    expect(other.result).toMatchObject({ status: "completed", turns: 1 });
    expect(foldJournal(journal.records()).session).toEqual(other.session);
    expect(journal.lines.join("").length - length).toBeLessThan(length / 4);
    const stray = await ended(agentLoop({ ...setupOf(), session: newSession(), journal }));
    expect(stray.result.error).toMatchObject({ kind: "configuration", message: /is that of the session/ });
  });

  it("takes no new run while one has not ended [JOURNAL-12]", async () => {
    const journal = memoryJournal();
    const session = newSession();
    await ended(agentLoop({ ...setupOf(), session, journal }));
    const records = journal.records().slice(0, 5);
    const cut = memoryJournal(records);
    const starts: string[] = [];
    const { result } = await ended(agentLoop({ ...setupOf(starts), session, journal: cut }));
    expect(result.error).toMatchObject({ kind: "configuration", message: /has not ended/ });
    expect(cut.records()).toEqual(records);
    expect(starts).toEqual([]);
  });

  it("that cannot be read stops the run before it begins", async () => {
    const journal: Journal = { ...memoryJournal(), read: () => Promise.reject(new Error("no such disk")) };
    const { result } = await ended(agentLoop({ ...setupOf(), session: newSession(), journal }));
    expect(result).toMatchObject({ status: "error", turns: 0, error: { message: "no such disk" } });
  });

  it("that cannot be written any more ends the run, and no tool is started from then on [JOURNAL-10]", async () => {
    const whole = memoryJournal();
    await ended(agentLoop({ ...setupOf(), session: newSession(), journal: whole }));
    for (let good = 0; good < whole.lines.length; good += 1) {
      const kept = memoryJournal();
      let appends = 0;
      const starts: string[] = [];
      const journal: Journal = {
        ...kept,
        append: async (records) => {
          appends += 1;
          if (appends === good + 1) throw new Error("the disk is full");
          await kept.append(records);
        },
      };
      const { result, session, events } = await ended(
        agentLoop({ ...setupOf(starts), session: newSession(), journal }),
      );
      if (appends <= good) break; // fewer appends than records: the journal held
      expect(result).toMatchObject({ status: "error", error: { kind: "internal", message: /the disk is full/ } });
      expect(appends).toBe(good + 1);
      expect(checkSession(session)).toEqual([]);
      expect(checkGrammar(events)).toEqual([]);
      const written = kept.records().flatMap((one) => (one.type === "tool_started" ? [one.id] : []));
      expect(starts).toEqual(written);
    }
  });
});
