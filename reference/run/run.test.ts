// Whatever the model and the tools do, and whenever somebody breaks off: a result, a valid session, and well-formed events.

import type { RunSetup } from "./setup.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { agentLoop, resume, type Run } from "./run.ts";
import { virtualClock } from "../support/clock.ts";
import { ToolError } from "../core/execute-tool-calls.ts";
import type { InvokeModel, Provider, State } from "../core/ports.ts";
import { initSession, resultText } from "../core/session.ts";
import { stopTable } from "../core/stop-table.ts";
import { defineTool, type DefinedTool } from "../tools/define-tool.ts";
import { checkSession } from "../state/check-session.ts";
import type { LoopEvent, Message, ModelResponse, Session, StopReason } from "../../schemas/types.ts";

const session = initSession({ id: "s", user: "Go." });
const text = (content: string): ModelResponse => ({
  messages: [{ role: "assistant", content }],
  stop_reason: "end_turn",
});
const calls = (...names: string[]): ModelResponse => ({
  messages: names.map((name, i) => ({ type: "tool_call", id: `c${i}`, name, input: {} })),
  stop_reason: "tool_use",
});
const scripted = (...responses: ModelResponse[]): Provider => ({
  name: "scripted",
  invokeModel: async () => responses.shift() ?? text("Nothing more."),
});
const tool = (name: string, execute?: () => unknown, annotations = {}) =>
  defineTool({ name, input_schema: { type: "object" }, annotations, ...(execute && { execute: execute as never }) });

async function watch(run: Run) {
  const events: LoopEvent[] = [];
  for await (const event of run) events.push(event);
  return { events, result: await run.result, session: await run.session };
}

describe("agentLoop", () => {
  it("does not touch the session that it was given", async () => {
    const before = structuredClone(session);
    const { session: after } = await watch(agentLoop({ session, provider: scripted(text("Done.")), tools: [] }));
    expect(session).toEqual(before);
    expect(after.messages).toHaveLength(2);
  });

  it("frees its session wherever its beginning fails", async () => {
    const failing = [
      { options: { max_turn: 1 } as object },
      { agents: { a: { name: "a" } }, agent: "b" },
      { use: [{ name: "unprepared", attach: () => ({ prepare: () => Promise.reject(new Error("no lease")) }) }] },
      {
        use: [
          { name: "refusing", attach: () => ({ refuses: { kind: "configuration", message: "not today" } as const }) },
        ],
      },
      { use: [{ name: "unbegun", attach: () => ({ begin: () => Promise.reject(new Error("no log")) }) }] },
    ];
    for (const setup of failing) {
      const failed = await watch(agentLoop({ session, provider: scripted(), ...setup }));
      expect(failed.result.status).toBe("error");
      const { result } = await watch(agentLoop({ session, provider: scripted(text("Done.")) }));
      expect(result).toMatchObject({ status: "completed", final_text: "Done." });
    }
  });

  it("answers for a provider that throws", async () => {
    const provider: Provider = { name: "broken", invokeModel: () => Promise.reject(new Error("no such model")) };
    const { result } = await watch(agentLoop({ session, provider }));
    expect(result).toMatchObject({
      status: "error",
      error: { kind: "internal", message: expect.stringContaining("no such model") },
    });
  });

  it("names the agents when the active one does not exist", async () => {
    const setup = { session, provider: scripted(), agents: { a: { name: "a" } }, agent: "b" };
    expect((await watch(agentLoop(setup))).result.error).toEqual({
      kind: "configuration",
      message: 'There is no agent "b". Agents: a.',
    });
  });

  it("ends after run_end, for readers that come late too", async () => {
    const run = agentLoop({ session, provider: scripted(text("Done.")) });
    await run.result;
    expect((await watch(run)).events).toEqual([]);
  });

  it("forgets a reader that stops early", async () => {
    const run = agentLoop({ session, provider: scripted(calls("a"), text("Done.")), tools: [tool("a", () => "ok")] });
    for await (const event of run) if (event.type === "turn_start") break;
    expect((await run.result).status).toBe("completed");
  });

  it("keeps a late value out, and says that it came", async () => {
    const clock = virtualClock();
    let answer: (value: string) => void = () => {};
    const slow = tool("slow", () => new Promise<string>((resolve) => (answer = resolve)));
    const done = tool("done", () => answer("late"));
    const provider = scripted(calls("slow"), calls("done"), text("Done."));
    const run = agentLoop({ session, provider, tools: [slow, done], clock, options: { tool_timeout_ms: 10 } });
    const watched = watch(run);
    for await (const event of run) if (event.type === "tool_start" && event.name === "slow") clock.advance(10);
    const { events, session: after } = await watched;
    expect(after.messages).toContainEqual(expect.objectContaining({ id: "c0", outcome: "timeout" }));
    expect(events).toContainEqual(expect.objectContaining({ type: "tool_late_result", name: "slow" }));
  });

  it("lists a tool that ignores the cancel", async () => {
    const deaf = tool("deaf", () => new Promise(() => {}));
    const run = agentLoop({ session, provider: scripted(calls("deaf")), tools: [deaf] });
    for await (const event of run) if (event.type === "tool_start") run.cancel();
    expect(await run.result).toMatchObject({ status: "cancelled", still_running: [{ id: "c0", name: "deaf" }] });
  });

  it("starts no tool after a watcher has cancelled the run [CANCEL-2]", async () => {
    const started: string[] = [];
    const run: Run = agentLoop({
      session,
      provider: scripted(calls("send")),
      tools: [tool("send", () => started.push("send"))],
      watch: [() => ({ hear: ({ type }) => void (type === "tool_start" && run.cancel()) })],
    });
    const { messages } = await run.session;
    expect(messages.at(-1)).toMatchObject({
      output: resultText("cancelled_before"),
      outcome: "cancelled",
    });
    expect(started).toEqual([]);
  });

  it("names the tool that has no handler", async () => {
    const tools = [{ name: "send", input_schema: { type: "object" } } as DefinedTool];
    const { session: after } = await watch(agentLoop({ session, provider: scripted(calls("send")), tools }));
    expect(after.messages[2]).toMatchObject({ output: "The tool send has no handler.", outcome: "error" });
  });

  it("ends with a tool that cannot go on, also where it says that it waits [TOOL-18]", async () => {
    const waiting = tool("send", () => {
      throw new ToolError("the mast is broken", { outcome: "suspended", fatal: true });
    });
    const { result } = await watch(agentLoop({ session, provider: scripted(calls("send")), tools: [waiting] }));
    expect(result).toMatchObject({ status: "error", error: { kind: "tool_fatal", message: "the mast is broken" } });
  });

  it("makes ids that every provider takes [SESSION-10]", async () => {
    const nameless = calls("send");
    nameless.messages = nameless.messages.map((message) => ({ ...message, id: "" }) as Message);
    const { session: after } = await watch(agentLoop({ session, provider: scripted(nameless) }));
    expect(after.messages[1]).toMatchObject({ id: expect.stringMatching(/^call_[0-9a-f]{24}$/) });
  });

  it("waits for a cancelled tool as long as cancel_grace_ms says", async () => {
    const clock = virtualClock();
    let answer: (value: string) => void = () => {};
    const slow = tool("slow", () => new Promise<string>((resolve) => (answer = resolve)));
    const run = agentLoop({
      session,
      provider: scripted(calls("slow")),
      tools: [slow],
      clock,
      options: { cancel_grace_ms: 50 },
    });
    for await (const event of run) {
      if (event.type !== "tool_start") continue;
      run.cancel();
      answer("just in time");
    }
    expect((await run.session).messages.at(-1)).toMatchObject({ output: "just in time", outcome: "ok" });
    expect((await run.result).still_running).toBeUndefined();
  });

  it("suspends for an external tool, and resumes from JSON with its result", async () => {
    const tools = [tool("ask"), tool("log", () => "logged")];
    const first = await watch(agentLoop({ session, provider: scripted(calls("ask", "log")), tools }));
    expect(first.result).toMatchObject({ status: "suspended", pending: [{ id: "c0", name: "ask" }] });
    const snapshot = JSON.parse(JSON.stringify(first.result.snapshot));
    const setup = { snapshot, provider: scripted(text("Thanks.")), tools };
    const refused = await watch(resume({ ...setup, decisions: [{ id: "c9", action: "respond", output: "?" }] }));
    expect(refused.result).toMatchObject({
      status: "error",
      error: { kind: "configuration", message: /c0.*c9/s } as never,
    });
    const { result, session: after } = await watch(
      resume({ ...setup, decisions: [{ id: "c0", action: "respond", output: "42" }] }),
    );
    expect(result).toMatchObject({ status: "completed", turns: 2 });
    expect(after.messages.slice(3, 5)).toMatchObject([
      { id: "c0", output: "42" },
      { id: "c1", output: "logged" },
    ]);
  });
});

/** A model, its tools and a person, all at random. `cancelAt`, `stopAt` and `steerAt` count events. */
const anything = fc.record({
  responses: fc.array(
    fc.record({
      stop_reason: fc.constantFrom(
        ...(Object.keys(stopTable) as StopReason[]),
        "tool_use" as const,
        "end_turn" as const,
      ),
      messages: fc.array(
        fc.oneof(
          fc.record({ role: fc.constant("assistant" as const), content: fc.constantFrom("", "Hm.", "Well.") }),
          fc.record({ type: fc.constant("thinking" as const), content: fc.constantFrom("", "I see.") }),
          fc.record({
            type: fc.constant("tool_call" as const),
            id: fc.constantFrom("", "a", "b", "a_2"),
            name: fc.constantFrom("read", "write", "throws", "fatal", "outside", "unknown"),
            input: fc.constantFrom({}, { x: 1 }),
          }),
        ),
        { maxLength: 5 },
      ),
      streams: fc.boolean(),
    }),
    { maxLength: 6 },
  ),
  scheduling: fc.constantFrom("barrier", "parallel", "serial", "reads_first"),
  max_turns: fc.option(fc.integer({ min: 1, max: 4 })),
  others: fc.record(
    {
      on_max_tokens: fc.constantFrom("end", "continue"),
      on_empty: fc.constantFrom("end", "retry"),
      max_tool_calls: fc.integer({ min: 1, max: 5 }),
      max_failed_turns: fc.integer({ min: 1, max: 3 }),
      stop_when: fc.constantFrom([{ tool_called: "write" }], [{ same_call: 2 }, { text_contains: "Hm" }]),
    },
    { requiredKeys: [] },
  ),
  cancelAt: fc.option(fc.nat(40)),
  stopAt: fc.option(fc.nat(40)),
  steerAt: fc.option(fc.nat(40)),
});

const tools = [
  tool("read", async () => "read", { read_only: true }),
  tool("write", async () => [{ type: "text", text: "written" }]),
  tool("throws", () => Promise.reject(new Error("no"))),
  tool("fatal", () => Promise.reject(new ToolError("broken", { fatal: true }))),
  tool("outside"),
];

function improvised({ responses }: { responses: ReturnType<typeof fc.sample<never>> }): Provider {
  const script = [...responses] as (ModelResponse & { streams: boolean })[];
  const invokeModel: InvokeModel = async (request, { onStream }) => {
    expect(checkSession({ spec_version: "1.0", id: "r", messages: request.messages })).toEqual([]);
    const { streams, ...response } = script.shift() ?? { ...text("Done."), streams: false };
    if (streams) response.messages.forEach((message, index) => onStream({ type: "message_start", index, message }));
    await Promise.resolve();
    if (streams) response.messages.forEach((message, index) => onStream({ type: "message_end", index, message }));
    return response;
  };
  return { name: "improvised", invokeModel };
}

describe("what ends a run, or keeps it going", () => {
  it("asks conditions of the caller's own, with the batch answered [LOOP-48]", async () => {
    const answered = {
      name: "answered",
      holds: ({ session: { messages } }: State) => checkSession({ ...session, messages }).length === 0,
    };
    const setup = { session, provider: scripted(calls("a")), tools: [tool("a", () => "ok")], stopWhen: [answered] };
    expect((await watch(agentLoop(setup))).result).toMatchObject({
      status: "stopped",
      stop_condition: "answered",
      turns: 1,
    });
  });

  it("takes the same arguments in another order for the same call [LOOP-51]", async () => {
    const responseWith = (input: object): ModelResponse => ({
      messages: [{ type: "tool_call", id: "", name: "a", input: input as never }],
      stop_reason: "tool_use",
    });
    const provider = scripted(responseWith({ x: 1, y: { p: 1, q: 2 } }), responseWith({ y: { q: 2, p: 1 }, x: 1 }));
    const run = agentLoop({
      session,
      provider,
      tools: [tool("a", () => "ok")],
      options: { stop_when: [{ same_call: 2 }] },
    });
    expect(await run.result).toMatchObject({ stop_condition: "same_call", turns: 2 });
  });

  it("does not keep going after a stop, however the text ended [LOOP-29, LOOP-44]", async () => {
    const cut: ModelResponse = { messages: [{ role: "assistant", content: "Once upon" }], stop_reason: "max_tokens" };
    const run = agentLoop({ session, provider: scripted(cut), options: { on_max_tokens: "continue" } });
    run.stop();
    for await (const event of run) if (event.type === "turn_start") run.stop();
    expect(await run.result).toMatchObject({ status: "stopped", turns: 0 });
  });
});

describe("agentLoop, with anything", () => {
  it("ends with a result, a valid session, and events that rebuild it", async () => {
    await fc.assert(
      fc.asyncProperty(anything, async ({ responses, scheduling, max_turns, others, cancelAt, stopAt, steerAt }) => {
        const options = { scheduling, max_turns, ...others } as unknown as NonNullable<RunSetup["options"]>;
        const run = agentLoop({ session, provider: improvised({ responses: responses as never }), tools, options });
        const events: LoopEvent[] = [];
        for await (const event of run) {
          events.push(event);
          if (event.seq === cancelAt) run.cancel();
          if (event.seq === stopAt) run.stop();
          if (event.seq === steerAt) run.steer("And then?");
        }
        const [result, after] = [await run.result, await run.session];
        if (result.status !== "suspended") expect(checkSession(after)).toEqual([]);
        expect(rebuilt(session, events)).toEqual(after);
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i));
        expect(unpaired(events)).toEqual([]);
        expect(result.error !== undefined).toBe(result.status === "error");
        if (max_turns) expect(result.turns).toBeLessThanOrEqual(max_turns);
      }),
      { numRuns: 400 },
    );
  });
});

function rebuilt(begun: Session, events: LoopEvent[]): Session {
  const added = events.flatMap((event): Message[] => (event.type === "message" ? [event.message] : []));
  return { ...begun, messages: [...begun.messages, ...added] };
}

/** Starts without an end, and ends without a start. */
function unpaired(events: LoopEvent[]): string[] {
  const open = new Set<string>();
  const wrong: string[] = [];
  for (const event of events) {
    const [, thing, edge] = /^(.+)_(start|end)$/.exec(event.type) ?? [];
    if (!thing) continue;
    const key = `${thing} ${"id" in event ? event.id : ""}${"index" in event ? event.index : ""}`;
    if (edge === "start" ? open.has(key) : !open.delete(key)) wrong.push(`${event.type} ${key}`);
    if (edge === "start") open.add(key);
  }
  return [...wrong, ...open];
}
