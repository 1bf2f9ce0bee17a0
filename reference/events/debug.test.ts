// The debug log of a run: one line per event, in order.

import { describe, expect, it } from "vitest";

import { debug, inWords } from "./debug.ts";
import { agentLoop, defineTool, initSession, virtualClock, type ModelResponse } from "../index.ts";
import { subagentTool } from "../run/subagent-tool.ts";

const call = (id: string, name: string, input = {}): ModelResponse => ({
  messages: [{ type: "tool_call", id, name, input }],
  stop_reason: "tool_use",
});
const done: ModelResponse = { messages: [{ role: "assistant", content: "Done." }], stop_reason: "end_turn" };
const failed: ModelResponse = {
  messages: [],
  stop_reason: "error",
  error: { kind: "overloaded", message: "Too much." },
};
const scripted = (...answers: ModelResponse[]) => ({ name: "scripted", invokeModel: async () => answers.shift()! });
const session = initSession({ id: "s", user: "Go." });

describe("the debug log of a run", () => {
  it("shows what is requested, decided, executed and stored", async () => {
    const lines: string[] = [];
    const clock = virtualClock();
    const tools = [
      defineTool({ name: "look", input_schema: { type: "object" }, execute: async () => "x".repeat(200) }),
      defineTool({ name: "send", input_schema: { type: "object" }, execute: async () => "sent" }),
    ];
    const provider = scripted(failed, call("c1", "look", { at: "it" }), call("c2", "send"), done);
    const hooks = [{ point: "before_tool" as const, tool: "send", run: () => ({ block: "not now" }) }];
    const watch = [debug((line) => lines.push(line))];
    const options = { max_turns: 5 };
    const run = agentLoop({ provider, tools, hooks, session, watch, clock, random: () => 0, options });
    for await (const event of run) if (event.type === "wait_start") clock.advance(event.wait_ms);
    expect(lines).toEqual([
      's: main begins with scripted (its own model), tools look, send, limits {"max_turns":5}',
      "s: turn 1",
      "s:   asks the model, attempt 1",
      "s:   stopped for error, because of overloaded: Too much.",
      "s:   waits 500 ms",
      "s:   asks the model, attempt 2",
      "s:   stopped for tool_use",
      's:   stores call look (c1) {"at":"it"}',
      's:   runs look (c1) {"at":"it"}',
      "s:   ends look (c1): ok",
      `s:   stores result of c1, ok: ${"x".repeat(120)}…`,
      "s: turn 2",
      "s:   asks the model, attempt 1",
      "s:   stopped for tool_use",
      "s:   stores call send (c2) {}",
      "s:   stores result of c2, denied, made up: The call of send was not executed: not now. Do not repeat it unchanged.",
      "s: turn 3",
      "s:   asks the model, attempt 1",
      "s:   stopped for end_turn",
      "s:   stores assistant: Done.",
      "s: ends with status completed after turn 3",
    ]);
  });

  it("distinguishes the run of a subagent from its parent", async () => {
    const lines: string[] = [];
    const tools = [subagentTool({ name: "ask", agent: { name: "cook" } })];
    const provider = scripted(call("c1", "ask", { prompt: "Soup!" }), done, done);
    await agentLoop({ provider, tools, session, watch: [debug((line) => lines.push(line))] }).result;
    expect(lines.filter((line) => line.includes("ends"))).toEqual([
      "s/c1: ends with status completed after turn 1",
      "s:   ends ask (c1): ok",
      "s: ends with status completed after turn 2",
    ]);
  });

  it("covers rare events", () => {
    const at = { seq: 1, turn: 1 };
    expect([
      inWords({ type: "handoff", ...at, from: "desk", to: null }),
      inWords({ type: "switch_model", ...at, model: "m" }),
      inWords({ type: "limit", ...at, limit: "budget", status: "budget" }),
      inWords({ type: "warning", ...at, code: "hook_failed", message: "It broke." }),
      inWords({ type: "tool_late_result", ...at, id: "c1", name: "look" }),
      inWords({ type: "tool_progress", ...at, id: "c1", name: "look", progress: { page: 1 } }),
      inWords({ type: "message", ...at, message: { type: "thinking", content: "Hm." } }),
      inWords({ type: "message_delta", ...at, index: 0, delta: "x" }),
    ]).toEqual([
      "  hands over from desk to nobody",
      "switches to m",
      "reaches budget",
      "warns: It broke.",
      "  ignores the late result of look (c1)",
      '  receives progress from look (c1) {"page":1}',
      "  stores thinking: Hm.",
      undefined,
    ]);
  });
});
