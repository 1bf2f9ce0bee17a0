// What is made of sessions, snapshots, fixtures and events: the transitions that they tell of, in order.

import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { agentLoop } from "../../../reference/run/run.ts";
import type { Fixture, LoopEvent, Message, Session, Snapshot, Tool } from "../../../schemas/types.ts";
import { packagePath } from "../../kit/base/package-root.ts";
import { openTape, tapeProvider } from "../../traffic/in-process/index.ts";
import { readFixtureTrace } from "./read-fixture.ts";
import { readSession, readSnapshot } from "./read-session.ts";
import type { Trace } from "./trace.ts";
import { transitionsOf } from "./transitions.ts";

const user = (content: string): Message => ({ role: "user", content });
const text = (content: string): Message => ({ role: "assistant", content });
const call = (id: string): Message => ({ type: "tool_call", id, name: "look", input: {} });
const result = (id: string, more: Partial<Message> = {}): Message =>
  ({ type: "tool_result", id, output: `of ${id}`, outcome: "ok", ...more }) as Message;
const session = (...messages: Message[]): Session => ({ spec_version: "1.0", id: "s", messages });

/** The phases in their order; `|` where a run begins. */
function phasesOf(trace: Trace): string {
  return transitionsOf(trace)
    .map(({ from, to, events }) => {
      const begins = events.some(({ type }) => type === "run_start");
      return begins ? `| ${from.phase} ${to.phase}` : to.phase;
    })
    .join(" ");
}

const file = <Type>(path: string): Type => JSON.parse(readFileSync(packagePath(path), "utf8")) as Type;

describe("a session", () => {
  it.each([
    ["a question", [user("?")], "| turn_boundary turn_boundary"],
    ["an answer", [user("?"), text("!")], "| turn_boundary calling_model deciding turn_boundary done"],
    [
      "a tool",
      [user("?"), call("a"), result("a"), text("!")],
      "| turn_boundary calling_model deciding executing turn_boundary calling_model deciding turn_boundary done",
    ],
    ["calls without results", [user("?"), call("a")], "| turn_boundary calling_model deciding executing"],
    [
      "two runs",
      [user("?"), text("!"), user("??"), text("!!")],
      "| turn_boundary calling_model deciding turn_boundary done | turn_boundary calling_model deciding turn_boundary done",
    ],
    [
      "what a person said meanwhile",
      [user("?"), call("a"), result("a"), user("!!"), text("!")],
      "| turn_boundary calling_model deciding executing turn_boundary turn_boundary calling_model deciding turn_boundary done",
    ],
    [
      "a call that was cut off",
      [
        user("?"),
        call("a"),
        result("a", { outcome: "not_executed", synthetic: true, is_error: true } as Message),
        text("!"),
      ],
      "| turn_boundary calling_model deciding turn_boundary calling_model deciding turn_boundary done",
    ],
    [
      "a cancel",
      [
        user("?"),
        call("a"),
        result("a", { outcome: "cancelled", synthetic: true, is_error: true } as Message),
        user("??"),
        text("!"),
      ],
      "| turn_boundary calling_model deciding executing done | turn_boundary calling_model deciding turn_boundary done",
    ],
    [
      "a lost stream",
      [user("?"), { role: "assistant", content: "On", status: "incomplete" } as Message],
      "| turn_boundary calling_model deciding done",
    ],
  ])("with %s", async (_, messages, phases) => {
    const trace = await readSession("s.json", session(...messages));
    expect(phasesOf(trace)).toBe(phases);
    const appended = transitionsOf(trace).flatMap((transition) => transition.appended);
    const runs = transitionsOf(trace).filter(({ events }) => events.some(({ type }) => type === "run_start"));
    expect(appended.length + trace.before.length + runs.length - 1).toBe(messages.length);
  });

  it("has results as they were recorded, whatever they say", async () => {
    const unknown = result("a", { outcome: "unknown_tool", synthetic: true, is_error: true } as Message);
    const trace = await readSession("s.json", session(user("?"), call("a"), unknown, text("!")));
    const [, , decided, stored] = transitionsOf(trace);
    expect(decided!.decided.map(({ requirement }) => requirement)).toContain("TOOL-9");
    expect(stored!.appended).toEqual([unknown]);
    expect(stored!.sent).toBe(undefined);
  });
});

describe("a snapshot", () => {
  it.each([
    ["before-the-first-turn", "turn_boundary"],
    ["suspended", "suspended"],
    ["half-a-batch", "suspended"],
    ["subagent-waits", "suspended"],
    ["executing", "executing"],
    ["answered", "executing"],
  ])("%s is walked to where it stands", async (name, phase) => {
    const snapshot = file<Snapshot>(`schemas/examples/Snapshot/${name}.json`);
    const last = transitionsOf(await readSnapshot(name, snapshot)).at(-1)!;
    expect([last.to.phase, last.to.turn]).toEqual([phase, snapshot.turn]);
    expect(last.to.messages).toBe(snapshot.session.messages.length);
  });
});

describe("a fixture", () => {
  it("is what the adapters read, with what was asked as it was", async () => {
    const fixture = file<Fixture>("fixtures/anthropic-messages/weather-loop-streamed.json");
    const trace = await readFixtureTrace("f.json", fixture);
    expect(phasesOf(trace)).toBe(
      "| turn_boundary calling_model deciding executing turn_boundary calling_model deciding turn_boundary done",
    );
    const calls = transitionsOf(trace).filter(({ from }) => from.phase === "calling_model");
    expect(calls.map(({ sent }) => sent!.requests)).toEqual(fixture.exchanges.map(({ request }) => [request!.body]));
    expect(calls[1]!.sent).toMatchObject({ repeated: 1 });
  });

  it("of the project is walked whole, whichever it is", async () => {
    const files = globSync("fixtures/*/*.json", { cwd: packagePath() });
    expect(files.length).toBeGreaterThan(100);
    for (const name of files) {
      const transitions = transitionsOf(await readFixtureTrace(name, file<Fixture>(name)));
      expect(transitions.length, name).toBeGreaterThan(2);
      expect(transitions.filter(({ decided, isUnfinished }) => isUnfinished || decided.length === 0)).toEqual([]);
    }
  });

  it("without a model call has no run", async () => {
    const fixture: Fixture = {
      fixture: 1,
      origin: "crafted",
      why: "test",
      exchanges: [{ request: null, response: { status: 204 } }],
    };
    await expect(readFixtureTrace("f.json", fixture)).rejects.toThrow("f.json has no model call");
  });
});

describe("a live replay", () => {
  it("is read of the events that the run tells while the tape answers it", async () => {
    const name = "fixtures/anthropic-messages/weather-loop-streamed.json";
    const tape = openTape(file<Fixture>(name));
    const { body } = tape.fixture.exchanges[0]!.request as {
      body: { system: string; tools: Tool[]; messages: Message[] };
    };
    const outputs = ["18 °C", "24 °C"];
    const run = agentLoop({
      provider: tapeProvider(tape),
      instructions: body.system,
      input: "What is the weather in Paris and in Rome?",
      tools: body.tools.map((tool) => ({ ...tool, execute: async () => outputs.shift()! })),
    });
    const events: LoopEvent[] = [];
    for await (const event of run) events.push(event);
    tape.verify();
    const replayed = transitionsOf({ title: name, notes: [], before: [user("?")], events });
    const recorded = transitionsOf(await readFixtureTrace(name, tape.fixture));
    expect(replayed.map(({ to }) => to)).toEqual(recorded.map(({ to }) => to));
  });
});
