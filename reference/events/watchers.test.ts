// Watchers of a run: they receive every event synchronously, decide only the trace context, and cannot fail the run.

import { describe, expect, it } from "vitest";

import { agentLoop, defineTool, initSession, type LoopEvent, type ModelResponse, type RunSetup } from "../index.ts";
import { subagentTool } from "../run/subagent-tool.ts";
import type { Watch } from "./watchers.ts";

const call = (id: string, name: string): ModelResponse => ({
  messages: [{ type: "tool_call", id, name, input: { prompt: "Go." } }],
  stop_reason: "tool_use",
});
const done: ModelResponse = { messages: [{ role: "assistant", content: "Done." }], stop_reason: "end_turn" };
const scripted = (...answers: ModelResponse[]) => ({ name: "scripted", invokeModel: async () => answers.shift()! });
const trace = { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", tracestate: "v=1" };
const other = { traceparent: "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01" };

/** A tool that records the trace context it receives, and a setup that calls it once. */
function looking(setup: Partial<RunSetup> = {}) {
  const handed: unknown[] = [];
  const look = defineTool({
    name: "look",
    input_schema: { type: "object" },
    execute: (_, context) => {
      handed.push(context.trace);
      return "seen";
    },
  });
  const session = initSession({ id: "s", user: "Go." });
  return { handed, look, setup: { provider: scripted(call("c1", "look"), done), tools: [look], session, ...setup } };
}

describe("a watcher", () => {
  it("receives every event before the run continues, in the order of the iterators", async () => {
    const received: LoopEvent[] = [];
    const seen: string[] = [];
    const { setup, look } = looking();
    const execute = () => {
      seen.push(received.at(-1)!.type);
      return "seen";
    };
    const watch: Watch[] = [() => ({ onEvent: (event) => void received.push(event) })];
    const run = agentLoop({ ...setup, tools: [{ ...look, execute }], watch });
    const events: LoopEvent[] = [];
    for await (const event of run) events.push(event);
    expect(received).toEqual(events);
    expect(seen).toEqual(["tool_start"]);
  });

  it("may still have the deprecated `hear`, which `onEvent` replaces where both exist", async () => {
    const [old, both]: string[][] = [[], []];
    const watch: Watch[] = [
      () => ({ hear: ({ type }) => void old!.push(type) }),
      () => ({ hear: () => both!.push("heard"), onEvent: ({ type }) => void both!.push(type) }),
    ];
    await agentLoop({ ...looking().setup, watch }).result;
    expect(old!.at(-1)).toBe("run_end");
    expect(both).toEqual(old);
  });

  it("keeps its `this`, and state, from event to event", async () => {
    class Counter {
      events = 0;
      onEvent(): void {
        this.events += 1;
      }
    }
    const counter = new Counter();
    const run = agentLoop({ ...looking().setup, watch: [() => counter] });
    let events = 0;
    for await (const _ of run) events += 1;
    expect(counter.events).toBe(events);
  });

  it("is created for each run, including that of a subagent", async () => {
    const begun: unknown[] = [];
    const watch: Watch[] = [
      (of) => ({ onEvent: (event) => event.type === "run_start" && begun.push([event.agent, event.parent, of]) }),
    ];
    const tools = [subagentTool({ name: "ask", agent: { name: "cook" } })];
    const provider = scripted(call("c1", "ask"), done, done);
    await agentLoop({ ...looking().setup, provider, tools, watch, trace }).result;
    expect(begun).toEqual([
      ["main", undefined, trace],
      ["cook", { session_id: "s", call_id: "c1" }, trace],
    ]);
  });

  it("that throws is removed with a warning, and the run continues", async () => {
    const received: string[] = [];
    const fails: Watch = () => ({
      onEvent: ({ type }) => {
        if (type === "model_end") throw new Error("the disk is full");
        received.push(type);
      },
      traceOf: () => other,
    });
    const works: Watch = () => ({ onEvent: ({ type }) => void received.push(type) });
    const { setup, handed } = looking({ watch: [fails, works] });
    const run = agentLoop(setup);
    const events: LoopEvent[] = [];
    for await (const event of run) events.push(event);
    expect(await run.result).toMatchObject({ status: "completed" });
    const at = events.findIndex(({ type }) => type === "warning");
    expect(events[at - 1]).toMatchObject({ type: "model_end", turn: 1 });
    expect(events[at]).toMatchObject({
      turn: 1,
      code: "watcher_failed",
      message: "A watcher threw and was removed: the disk is full",
    });
    expect(received.filter((type) => type === "run_end")).toHaveLength(1);
    expect(handed).toEqual([undefined]);
  });

  it("that throws when it is asked for a trace context leaves the tool that of the run", async () => {
    const fails: Watch = () => ({
      traceOf: () => {
        throw new Error("no trace");
      },
    });
    const { setup, handed } = looking({ watch: [fails], trace });
    const run = agentLoop(setup);
    const warned: LoopEvent[] = [];
    for await (const event of run) if (event.type === "warning") warned.push(event);
    expect(handed).toEqual([trace]);
    expect(warned).toMatchObject([{ code: "watcher_failed", turn: 1 }]);
  });
});

describe("the trace of a run", () => {
  it("reaches its tools unchanged, as a copy", async () => {
    const { setup, handed } = looking({ trace });
    await agentLoop(setup).result;
    expect(handed).toEqual([trace]);
    expect(handed[0]).not.toBe(trace);
  });

  it("is that of the first watcher that has one for the call", async () => {
    const none: Watch = () => ({ onEvent: () => {} });
    const some: Watch = () => ({ traceOf: ({ id }) => (id === "c1" ? other : undefined) });
    const { setup, handed } = looking({ trace, watch: [none, some] });
    await agentLoop(setup).result;
    expect(handed).toEqual([other]);
  });

  it("is undefined if the run has none", async () => {
    const { setup, handed } = looking();
    await agentLoop(setup).result;
    expect(handed).toEqual([undefined]);
  });
});
