// What a run says of itself before its first turn: where the model comes from, what is left of limits, what is not known yet.

import { describe, expect, it } from "vitest";

import { agentLoop, initSession, subagentTool, type LoopEvent, type ModelResponse, type RunSetup } from "../index.ts";

const done: ModelResponse = { messages: [{ role: "assistant", content: "Done." }], stop_reason: "end_turn" };
const tool = (name: string) => ({ name, input_schema: { type: "object" as const }, execute: async () => "ok" });

/** The first event of a run, and of its subagents. */
async function starts(setup: Partial<RunSetup>, answers = [done]): Promise<LoopEvent[]> {
  const provider = { name: "scripted", model: "m-0", invokeModel: async () => answers.shift()! };
  const found: LoopEvent[] = [];
  for await (const event of agentLoop({ provider, session: initSession({ id: "s", user: "Go." }), ...setup })) {
    const inner = event.type === "subagent_event" ? event.event : event;
    if (inner.type === "run_start") found.push(inner);
  }
  return found;
}

describe("the start of a run", () => {
  it("names the model of the agent, or else that of the provider", async () => {
    expect(await starts({ model: "m-1" })).toMatchObject([{ model: "m-1", provider: "scripted", spec_version: "1.0" }]);
    expect(await starts({})).toMatchObject([{ model: "m-0" }]);
  });

  it("leaves out tools that are made in each turn", async () => {
    expect(await starts({ tools: [tool("b"), tool("a")] })).toMatchObject([{ tools: ["b", "a"] }]);
    expect(await starts({ tools: async () => [tool("b")] })).toMatchObject([{ tools: [] }]);
  });

  it("says of a subagent what is left to it, and for which call it was started", async () => {
    const call = { type: "tool_call" as const, id: "c1", name: "ask", input: { prompt: "Go." } };
    const usage = { output_tokens: 5, cache_read_tokens: null, cache_write_tokens: null, reasoning_tokens: null };
    const asking: ModelResponse = {
      messages: [call],
      stop_reason: "tool_use",
      usage: { input_tokens: 20, ...usage },
    };
    const tools = [subagentTool({ name: "ask", agent: { name: "cook", limits: { max_turns: 2 } } })];
    const options = { max_turns: null, max_total_tokens: 100 };
    const [run, subagent] = await starts({ tools, options }, [asking, done, done]);
    expect(run).toMatchObject({ agent: "main", limits: { max_total_tokens: 100 } });
    expect(run).not.toHaveProperty("parent");
    expect(subagent).toMatchObject({
      agent: "cook",
      session_id: "s/c1",
      parent: { session_id: "s", call_id: "c1" },
      limits: { max_turns: 2, max_total_tokens: 75 },
    });
  });
});
