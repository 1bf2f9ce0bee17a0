// Errors of the caller pass through everything that makes results of errors, and nothing of the run follows.

import { describe, expect, it, vi } from "vitest";

import { initSession } from "../core/session.ts";
import type { Plugin } from "../plugins/plugin.ts";
import { realClock } from "../support/clock.ts";
import { memoryJournal } from "../testing/memory-journal.ts";
import { defineTool } from "../tools/define-tool.ts";
import { subagentTool } from "./subagent-tool.ts";
import type { LoopEvent, ModelResponse } from "../../schemas/types.ts";
import { agentLoop } from "./run.ts";
import type { RunSetup } from "./setup.ts";

class Cancelled extends Error {}
const rethrow = (error: unknown) => error instanceof Cancelled;
const fails = () => {
  throw new Cancelled("the workflow is given up");
};
const input_schema = { type: "object" } as const;
const text: ModelResponse = { messages: [{ role: "assistant", content: "Paid." }], stop_reason: "end_turn" };
const use = (...names: string[]): ModelResponse => ({
  messages: names.map((name) => ({ type: "tool_call", id: name, name, input: {} })),
  stop_reason: "tool_use",
});
const pay = defineTool({ name: "pay", input_schema, execute: () => "receipt 77" });

/** A setup whose model first wants to pay. */
function setupOf(responses: ModelResponse[] = [use("pay"), text]): RunSetup {
  return { provider: { name: "scripted", invokeModel: async () => responses.shift()! }, tools: [pay], rethrow };
}

const plugin = (points: ReturnType<Plugin["attach"]>): Plugin => ({ name: "failing", attach: () => points });
const session = () => initSession({ id: crypto.randomUUID(), user: "Pay." });

const failing: Record<string, Partial<RunSetup>> = {
  "a provider": { provider: { name: "scripted", invokeModel: async () => fails() } },
  "a provider at once": { provider: { name: "scripted", invokeModel: fails } },
  "a tool": { tools: [defineTool({ name: "pay", input_schema, execute: fails })] },
  "the function of the tools": { tools: fails },
  "the function of the instructions": { instructions: async () => fails() },
  "a tool that such a function has made": { tools: () => [defineTool({ name: "pay", input_schema, execute: fails })] },
  "an agent's tool": {
    agents: { main: { name: "main", tools: [defineTool({ name: "pay", input_schema, execute: fails })] } },
    agent: "main",
    tools: undefined as never,
  },
  "a hook": { hooks: [{ point: "after_tool", run: fails }] },
  "a hook at the end": { hooks: [{ point: "run_end", run: async () => fails() }] },
  "a guardrail": { guardrails: [{ name: "g", points: ["tool_output"], check: fails }] },
  "an approval": { options: { permissions: { mode: "default" } }, approve: fails },
  "the journal, when it is read": { journal: { read: fails, append: async () => {} } },
  "the journal, when it is written": { journal: { read: async () => [], append: async () => fails() } },
  "a stop condition": { stopWhen: [{ name: "mine", holds: fails }] },
  "a lock": { lock: fails },
  "a clock": { clock: { now: realClock.now, sleep: fails }, options: { deadline_ms: 1000 } },
  "a plug-in, when it is attached": { use: [{ name: "failing", attach: fails }] },
  "a plug-in, around a tool": { use: [plugin({ aroundTool: () => fails })] },
  "a plug-in, between two turns": { use: [plugin({ betweenTurns: { check: fails } })] },
  "a plug-in, at a checkpoint": { use: [plugin({ checkpoint: async () => fails() })] },
};

describe("an error of the caller", () => {
  it.each(Object.entries(failing))("of %s ends the run by being thrown, and has no result", async (_, more) => {
    const run = agentLoop({ ...setupOf(), ...more, session: session() });
    const events: LoopEvent[] = [];
    const read = (async () => {
      for await (const event of run) events.push(event);
    })();
    await expect(run.result).rejects.toThrow(Cancelled);
    await expect(run.session).rejects.toThrow(Cancelled);
    await expect(read).rejects.toThrow("the workflow is given up");
    expect(events.map(({ type }) => type)).not.toContain("run_end");
  });

  it("that is not marked becomes a result, as ever", async () => {
    const tools = [defineTool({ name: "pay", input_schema, execute: () => Promise.reject(new Error("no money")) })];
    const { result } = agentLoop({ ...setupOf(), tools, session: session() });
    expect(await result).toMatchObject({ status: "completed", steps: [{ outcomes: ["error"] }, {}] });
  });

  it("is followed by nothing: no event, no record, no hook, no other call", async () => {
    const seen: string[] = [];
    const gate = Promise.withResolvers<void>();
    const concurrent = { annotations: { concurrent: true } };
    const slow = defineTool({
      name: "slow",
      input_schema,
      ...concurrent,
      execute: async (_, { signal }) => {
        await gate.promise;
        return `stopped: ${signal.aborted}`;
      },
    });
    const stop = defineTool({ name: "stop", input_schema, ...concurrent, execute: fails });
    const journal = memoryJournal();
    const run = agentLoop({
      ...setupOf([use("slow", "stop", "pay")]),
      tools: [slow, stop, pay],
      journal,
      session: session(),
      hooks: [
        { point: "after_tool", run: () => void seen.push("after_tool") },
        { point: "run_end", run: () => void seen.push("run_end") },
      ],
    });
    await expect(run.result).rejects.toThrow(Cancelled);
    const written = journal.lines.length;
    gate.resolve();
    await vi.waitFor(() => gate.promise);
    for (let i = 0; i < 50; i += 1) await Promise.resolve();
    expect(seen).toEqual([]);
    expect(journal.lines.length).toBe(written);
    expect(journal.records().filter(({ type }) => type === "tool_finished")).toEqual([]);
  });

  it("releases the session for the next attempt", async () => {
    const started = session();
    await expect(agentLoop({ ...setupOf(), ...failing["a tool"], session: started }).result).rejects.toThrow(Cancelled);
    expect(await agentLoop({ ...setupOf(), session: started }).result).toMatchObject({ status: "completed" });
  });

  it("of a subagent ends the run that called it", async () => {
    const agent = { name: "helper", tools: [defineTool({ name: "pay", input_schema, execute: fails })] };
    const helper = subagentTool({
      name: "helper",
      agent,
      input_schema,
      setup: { provider: setupOf([use("pay")]).provider },
    });
    const { result } = agentLoop({ ...setupOf([use("helper"), text]), tools: [helper], session: session() });
    await expect(result).rejects.toThrow(Cancelled);
  });

  it("that nobody awaits is nobody's rejection", async () => {
    const rejections: unknown[] = [];
    const note = (error: unknown) => void rejections.push(error);
    process.on("unhandledRejection", note);
    agentLoop({ ...setupOf(), ...failing["a tool"], session: session() });
    await new Promise((resolve) => void setImmediate(() => setImmediate(resolve)));
    process.off("unhandledRejection", note);
    expect(rejections).toEqual([]);
  });

  it("is recognised by a function", async () => {
    const wrong = agentLoop({ ...setupOf(), rethrow: "all" as never, session: session() });
    expect((await wrong.result).error?.message).toBe(
      'rethrow: expected a function that says whether an error is yours, got "all".',
    );
  });
});
