// Who watches a run: hears everything at once, decides about nothing but the trace, and cannot break it.

import { describe, expect, it } from "vitest";

import { agentLoop, defineTool, initSession, type LoopEvent, type ModelResponse, type RunSetup } from "../index.ts";
import { subagentTool } from "../tools/subagent-tool.ts";
import type { Watch } from "./watchers.ts";

const call = (id: string, name: string): ModelResponse => ({
  messages: [{ type: "tool_call", id, name, input: { prompt: "Go." } }],
  stop_reason: "tool_use",
});
const done: ModelResponse = { messages: [{ role: "assistant", content: "Done." }], stop_reason: "end_turn" };
const scripted = (...answers: ModelResponse[]) => ({ name: "scripted", invokeModel: async () => answers.shift()! });
const trace = { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", tracestate: "v=1" };
const other = { traceparent: "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01" };

/** A tool that notes what trace it was handed, and a setup that calls it once. */
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
  it("hears every event before the run goes on, in the order of the others", async () => {
    const heard: LoopEvent[] = [];
    const seen: string[] = [];
    const { setup, look } = looking();
    const execute = () => {
      seen.push(heard.at(-1)!.type);
      return "seen";
    };
    const watch: Watch[] = [() => ({ hear: (event) => void heard.push(event) })];
    const run = agentLoop({ ...setup, tools: [{ ...look, execute }], watch });
    const events: LoopEvent[] = [];
    for await (const event of run) events.push(event);
    expect(heard).toEqual(events);
    expect(seen).toEqual(["tool_start"]);
  });

  it("is made anew for each run, and for the run of a subagent", async () => {
    const begun: unknown[] = [];
    const watch: Watch[] = [
      (of) => ({ hear: (event) => event.type === "run_start" && begun.push([event.agent, event.parent, of]) }),
    ];
    const tools = [subagentTool({ name: "ask", agent: { name: "cook" } })];
    const provider = scripted(call("c1", "ask"), done, done);
    await agentLoop({ ...looking().setup, provider, tools, watch, trace }).result;
    expect(begun).toEqual([
      ["main", undefined, trace],
      ["cook", { session_id: "s", call_id: "c1" }, trace],
    ]);
  });

  it("that fails is left out with a warning, and the run goes on", async () => {
    const heard: string[] = [];
    const fails: Watch = () => ({
      hear: ({ type }) => {
        if (type === "model_end") throw new Error("the disk is full");
        heard.push(type);
      },
      traceOf: () => other,
    });
    const looksOn: Watch = () => ({ hear: ({ type }) => void heard.push(type) });
    const { setup, handed } = looking({ watch: [fails, looksOn] });
    const run = agentLoop(setup);
    const events: LoopEvent[] = [];
    for await (const event of run) events.push(event);
    expect(await run.result).toMatchObject({ status: "completed" });
    const at = events.findIndex(({ type }) => type === "warning");
    expect(events[at - 1]).toMatchObject({ type: "model_end", turn: 1 });
    expect(events[at]).toMatchObject({
      turn: 1,
      code: "watcher_failed",
      message: expect.stringMatching("the disk is full"),
    });
    expect(heard.filter((type) => type === "run_end")).toHaveLength(1);
    expect(handed).toEqual([undefined]);
  });

  it("that fails when it is asked for a trace leaves the tool that of the run", async () => {
    const fails: Watch = () => ({
      hear: () => {},
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
  it("is handed to its tools unchanged, and as a copy", async () => {
    const { setup, handed } = looking({ trace });
    await agentLoop(setup).result;
    expect(handed).toEqual([trace]);
    expect(handed[0]).not.toBe(trace);
  });

  it("is that of the first watcher that has one for the call", async () => {
    const none: Watch = () => ({ hear: () => {} });
    const some: Watch = () => ({ hear: () => {}, traceOf: ({ id }) => (id === "c1" ? other : undefined) });
    const { setup, handed } = looking({ trace, watch: [none, some] });
    await agentLoop(setup).result;
    expect(handed).toEqual([other]);
  });

  it("is nothing where the run belongs to none", async () => {
    const { setup, handed } = looking();
    await agentLoop(setup).result;
    expect(handed).toEqual([undefined]);
  });
});
