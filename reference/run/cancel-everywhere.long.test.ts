// A cancel before, during and after every call of every port, and at every event: whatever it hits, nothing breaks.

import { beforeAll, describe, expect, it, vi } from "vitest";

import { agentLoop, resume } from "./run.ts";
import { agentLoop as runCore, plainPoints } from "../core/agent-loop.ts";
import { ToolError } from "../core/execute-tool-calls.ts";
import type { EventBody, Ports } from "../core/ports.ts";
import { initSession, initState } from "../core/session.ts";
import { checkGrammar } from "../../conformance/kit/checks/event-grammar.ts";
import { catalogue, scene } from "../testing/catalogue.ts";
import { breachesOf, breachesOfState, ofPairing } from "../testing/invariants.ts";
import { live, warmUp, type Life } from "../testing/live.ts";
import { refusedBy } from "../testing/provider-rules.ts";
import type { Scenario } from "../testing/scenario.ts";
import { World } from "../testing/scripted-world.ts";
import type { LoopEvent, ModelResponse } from "../../schemas/types.ts";

vi.mock("../core/agent-loop.ts", async (original) => {
  const { watchable } = await import("../testing/record-states.ts");
  return watchable(await original());
});

beforeAll(warmUp);

/** A life, and everything that is wrong with it, whoever broke off. */
async function lived(scenario: Scenario): Promise<{ life: Life; wrong: string[] }> {
  const wrong: string[] = [];
  const life = await live(scenario, { state: (state) => wrong.push(...breachesOfState(state)) });
  wrong.push(...breachesOf(life));
  const last = life.segments.at(-1)!;
  if (last.result.status !== "suspended") wrong.push(...refusedBy(last.session, life.world.tools));
  return { life, wrong };
}

/** The run that was under way at a moment, and whether it had only its result to write by then. */
function at(moment: number, { segments, world: { labels, ticks } }: Life) {
  const index = segments.findLastIndex(({ from, kind }) => kind !== "next" && from.moment <= moment);
  const { result, ended } = segments[index]!;
  const own = labels.slice(0, segments[index + 1]?.from.moment);
  const worked = own.findLastIndex((label) => /invokeModel|(before|during) execute/.test(label));
  // What waits for approval is hashed, in a thread of its own, after the turn has ended.
  const isWritten = result.status === "suspended" && /turn_end|run_end|clock\.now/.test(labels[moment]!);
  return { result, isTooLate: moment > worked && (isWritten || ticks[moment]! >= ended) };
}

describe.each(Object.entries(catalogue))("%s", (_, scenario) => {
  it("is well without a cancel", async () => {
    expect((await lived(scenario)).wrong).toEqual([]);
  });

  it("is broken off well at every moment", async () => {
    const undisturbed = (await lived(scenario)).life;
    const moments = undisturbed.world.labels.length;
    expect(moments).toBeGreaterThan(10);
    const broken: Record<string, string[]> = {};
    for (let moment = 0; moment < moments; moment += 1) {
      const { life, wrong } = await lived({ ...scenario, acts: [...scenario.acts, { at: moment, does: "cancel" }] });
      const { result, isTooLate } = at(moment, life);
      if (result.status !== "cancelled") {
        const same = at(moment, undisturbed);
        if (!same.isTooLate && !isTooLate) wrong.push(`ended ${result.status}`);
        if (JSON.stringify(same.result) !== JSON.stringify(result)) wrong.push(`had another ending: ${result.status}`);
      }
      if (wrong.length > 0) broken[`${moment}: ${life.world.labels[moment]}`] = wrong;
    }
    expect(broken).toEqual({});
  });
});

describe("a run that nobody waited for", () => {
  const world = (scenario: Scenario) => {
    const { provider, tools, clock, asked, executions } = new World(scenario);
    return { setup: { provider, tools, clock }, asked, executions };
  };
  const session = initSession({ id: "s", user: "Go." });

  it("asks no model when it is cancelled before its first request", async () => {
    const { setup, asked } = world(scene({}));
    const run = agentLoop({ ...setup, session });
    run.cancel();
    expect(await run.result).toMatchObject({ status: "cancelled", turns: 0 });
    expect((await run.session).messages).toEqual(session.messages);
    expect(asked).toEqual([]);
  });

  it("asks no model when its signal was aborted before", async () => {
    const { setup, asked } = world(scene({}));
    expect(await agentLoop({ ...setup, session, signal: AbortSignal.abort() }).result).toMatchObject({
      status: "cancelled",
    });
    expect(asked).toEqual([]);
  });

  it("stays suspended when it is cancelled while it waits, and is cancelled when it goes on", async () => {
    const waiting = scene({
      answers: [{ stop_reason: "tool_use", said: catalogue["a run that waits for its caller"]!.answers[0]!.said }],
    });
    const { setup, asked, executions } = world(waiting);
    const run = agentLoop({ ...setup, session });
    const { status, snapshot, pending } = await run.result;
    expect(status).toBe("suspended");
    run.cancel();
    const decisions = pending!.map(({ id }) => ({ id, action: "respond" as const, output: "yes" }));
    const resumed = resume({ ...setup, snapshot: snapshot!, decisions, signal: AbortSignal.abort() });
    expect(await resumed.result).toMatchObject({ status: "cancelled", turns: 1 });
    const after = await resumed.session;
    expect(ofPairing(after)).toEqual([]);
    expect(refusedBy(after, setup.tools)).toEqual([]);
    expect([asked.length, executions.length]).toEqual([1, 0]);
  });
});

describe("the core alone", () => {
  const answers: ModelResponse[] = [
    {
      messages: [
        { role: "assistant", content: "Well." },
        { type: "tool_call", id: "a", name: "add", input: {} },
        { type: "tool_call", id: "b", name: "gone", input: {} },
        { type: "tool_call", id: "c", name: "add", input: {} },
      ],
      stop_reason: "tool_use",
    },
    { messages: [{ role: "assistant", content: "Good." }], stop_reason: "end_turn" },
  ];

  /** One run whose ports count their moments; at one of them it is cancelled, or the port throws. */
  async function run({ cancelAt = Infinity, throwAt = Infinity }) {
    const cancel = new AbortController();
    const { signal } = cancel;
    const labels: string[] = [];
    const late: string[] = [];
    const events: EventBody[] = [];
    const script = [...answers];
    const moment = (label: string) => {
      const now = labels.push(label) - 1;
      if (now === cancelAt) cancel.abort();
      if (now === throwAt) throw new Error(`broken ${label}`);
    };
    const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    const bare: Ports = {
      ...plainPoints,
      agents: { main: { name: "main", tools: [{ name: "add", input_schema: { type: "object" } }] } },
      signal,
      emit: (event) => void events.push(event),
      validateInput: async () => [],
      async invokeModel() {
        const response = script.shift()!;
        await Promise.race([aborted, new Promise(setImmediate)]);
        return signal.aborted ? { messages: [], stop_reason: "interrupted" } : response;
      },
      async executeTool() {
        await Promise.race([aborted, new Promise(setImmediate)]);
        if (signal.aborted) throw new ToolError("cancelled", { outcome: "cancelled" });
        return "added";
      },
    };
    const ports = Object.fromEntries(
      Object.entries(bare).map(([name, port]) => [name, typeof port === "function" ? observed(name, port) : port]),
    ) as unknown as Ports;
    const session = initSession({ id: "s", user: "Go." });
    const { ending, ...state } = await runCore(initState(session, "main"), ports);
    expect(session.messages).toHaveLength(1); // what came in is not touched
    return { ending, state, labels, late, events };

    function observed(name: string, port: (...given: never[]) => unknown) {
      const called = (...given: never[]) => {
        const label = name === "emit" ? `emit ${(given[0] as unknown as EventBody).type}` : name;
        if (signal.aborted && name === "invokeModel") late.push(label);
        moment(`before ${label}`);
        const value = port(...given);
        moment(`during ${label}`);
        return value instanceof Promise ? value.finally(() => moment(`after ${label}`)) : value;
      };
      // What a port throws comes as a rejection; only `emit` is not awaited.
      return name === "emit" ? called : async (...given: never[]) => called(...given);
    }
  }

  it("is cancelled before, during and after every call of every port", async () => {
    const undisturbed = await run({});
    expect(undisturbed.ending).toEqual({ status: "completed" });
    const ports = ["boundary", "invokeModel", "validateInput", "decide", "execute", "executeTool", "settle"];
    for (const port of ports) expect(undisturbed.labels).toContain(`after ${port}`);
    const last = undisturbed.labels.findLastIndex((label) => label.includes("turn_end"));
    const broken: Record<string, unknown[]> = {};
    for (const [cancelAt, label] of undisturbed.labels.entries()) {
      const { ending, state, late, events } = await run({ cancelAt });
      const wrong: unknown[] = [...ofPairing(state.session)];
      if (ending?.status !== "cancelled" && cancelAt <= last) wrong.push(ending);
      // Once a turn was begun the point `invokeModel` is asked; that no provider is, is its own affair.
      if (late.length > 0 && !/checkpoint|model_start|turn_start/.test(label)) wrong.push(...late);
      wrong.push(...grammarOf(events));
      if (wrong.length > 0) broken[`${cancelAt}: ${label}`] = wrong;
    }
    expect(broken).toEqual({});
  });

  it("ends with a result and a valid session, whichever port throws", async () => {
    const { labels } = await run({});
    const broken: Record<string, unknown[]> = {};
    for (const [throwAt, label] of labels.entries()) {
      // An event goes into a queue: there is nothing to throw. A port that has begun throws when it is done.
      if (/emit|during/.test(label)) continue;
      const { ending, state, events } = await run({ throwAt });
      const wrong: unknown[] = [...ofPairing(state.session), ...grammarOf(events)];
      const isTool = label.endsWith("executeTool"); // a tool may throw
      if (ending?.status !== (isTool ? "completed" : "error")) wrong.push(ending);
      if (wrong.length > 0) broken[`${throwAt}: ${label}`] = wrong;
    }
    expect(broken).toEqual({});
  });
});

function grammarOf(events: EventBody[]): unknown[] {
  const framed = [{ type: "run_start", session_id: "s", agent: "main" }, ...events, { type: "run_end", result: {} }];
  return checkGrammar(framed.map((event, seq) => ({ ...event, seq })) as unknown as LoopEvent[]);
}
