// Planning: the plan comes first, stays in the instructions, and does not affect other hooks or runs.

import { describe, expect, it } from "vitest";

import {
  agentLoop,
  defineTool,
  initSession,
  resume,
  type AgentWithTools,
  type CompactionStrategy,
  type ModelRequest,
  type ModelResponse,
  type RunSetup,
} from "../index.ts";
import { planFirst } from "./planning.ts";
import { subagentTool } from "../run/subagent-tool.ts";

const call = (id: string, name: string, input = {}): ModelResponse => ({
  messages: [{ type: "tool_call", id, name, input }],
  stop_reason: "tool_use",
});
const say = (content: string): ModelResponse => ({
  messages: [{ role: "assistant", content }],
  stop_reason: "end_turn",
});
const session = () => initSession({ id: "s", user: "Bake a cake." });
const input_schema = { type: "object" } as const;
const bake = defineTool({ name: "bake", input_schema, execute: async () => "baked" });
const planning = { ask: "Plan!", start: "Start!", heading: "Plan:" };

/** A run with a scripted model, and its requests. */
async function run(setup: Omit<RunSetup, "provider">, answers: ModelResponse[], wrap = planFirst) {
  const requests: ModelRequest[] = [];
  const invokeModel = async (request: ModelRequest) => {
    requests.push(structuredClone(request));
    return answers.shift()!;
  };
  const planned = wrap(
    { provider: { name: "scripted", invokeModel }, ...(!setup.agents && { tools: [bake] }), ...setup },
    planning,
  );
  const going = agentLoop({ ...planned, session: session() });
  return {
    result: await going.result,
    session: await going.session,
    systems: requests.map(systemOf),
    requests,
    planned,
  };
}

function systemOf({ messages }: ModelRequest): string {
  const [first] = messages;
  return first && first.role === "system" ? first.content : "";
}

describe("a run that plans first", () => {
  it("requests the plan without tools, and keeps it in the instructions from then on", async () => {
    const {
      result,
      session: after,
      systems,
      requests,
    } = await run({ instructions: "You bake." }, [say("1. Bake."), call("c1", "bake"), say("Done.")]);
    expect(systems).toEqual(["You bake.\n\nPlan!", "You bake.\n\nPlan:\n\n1. Bake.", "You bake.\n\nPlan:\n\n1. Bake."]);
    expect(requests.map(({ tool_choice }) => tool_choice)).toEqual(["none", undefined, undefined]);
    expect(after.messages.slice(1, 3)).toMatchObject([
      { role: "assistant", content: "1. Bake." },
      { role: "user", content: "Start!", synthetic: true },
    ]);
    expect(result).toMatchObject({ status: "completed", turns: 3, final_text: "Done." });
  });

  it("executes no tool in the planning turn", async () => {
    const { session: after, systems } = await run({}, [call("c1", "bake"), say("Done.")]);
    expect(after.messages).toMatchObject([
      { role: "user" },
      { type: "tool_call" },
      { type: "tool_result", outcome: "denied" },
      { role: "assistant", content: "Done." },
    ]);
    expect(systems).toEqual(["Plan!", ""]);
  });

  it("keeps the plan when a compaction removes it from the session", async () => {
    const compaction = { at_tokens: 1, strategy: "forget", keep_last_turns: 1 };
    const compactWith: CompactionStrategy[] = [
      {
        name: "forget",
        compact: async ({ keepFrom }) => ({
          from: 1,
          to: keepFrom,
          messages: [{ role: "user" as const, content: "Something was done.", synthetic: true, compacted: true }],
        }),
      },
    ];
    const { systems, requests } = await run({ options: { compaction }, compactWith }, [
      say("1. Bake."),
      call("c1", "bake"),
      call("c2", "bake"),
      say("Done."),
    ]);
    expect(JSON.stringify(requests.at(-1)!.messages.slice(1))).not.toMatch(/1\. Bake/);
    expect(systems.at(-1)).toBe("Plan:\n\n1. Bake.");
  });

  it("recovers the plan when resumed in another process", async () => {
    const ask = defineTool({ name: "ask", input_schema });
    const { result } = await run({ tools: [ask] }, [say("1. Ask."), call("c1", "ask")]);
    expect(result.status).toBe("suspended");
    const requests: ModelRequest[] = [];
    const invokeModel = async (request: ModelRequest) => {
      requests.push(request);
      return say("Done.");
    };
    const again = planFirst({ provider: { name: "scripted", invokeModel }, tools: [ask] }, planning);
    const decisions = [{ id: "c1", action: "respond" as const, output: "Yes." }];
    await resume({ ...again, snapshot: structuredClone(result.snapshot!), decisions }).result;
    expect(requests.map(systemOf)).toEqual(["Plan:\n\n1. Ask."]);
  });

  it("separates the plans of concurrent runs", async () => {
    const invokeModel = async ({ messages }: ModelRequest) => {
      const task = messages.find(({ role }) => role === "user") as { content: string };
      return say(`${task.content}, ${systemOf({ messages, tools: [] })}`);
    };
    const setup = planFirst({ provider: { name: "scripted", invokeModel } }, planning);
    const runs = ["A", "B"].map((id) => agentLoop({ ...setup, session: initSession({ id, user: id }) }));
    const texts = await Promise.all(runs.map(async ({ result }) => (await result).final_text));
    expect(texts).toEqual(["A, Plan:\n\nA, Plan!", "B, Plan:\n\nB, Plan!"]);
  });

  it("does not make its subagents plan, and lets other stop hooks block", async () => {
    const agents: Record<string, AgentWithTools> = {
      chef: { name: "chef", tools: [subagentTool({ name: "ask_cook", agent: "cook" })] },
      cook: { name: "cook", instructions: "You cook." },
    };
    const stops: number[] = [];
    const hooks = [{ point: "stop" as const, run: ({ turn }: { turn: number }) => void stops.push(turn) }];
    const { systems, result } = await run({ agents, agent: "chef", hooks }, [
      say("1. Ask."),
      call("c1", "ask_cook", { prompt: "Soup!" }),
      say("Soup."),
      say("Done."),
    ]);
    expect(systems).toEqual(["Plan!", "Plan:\n\n1. Ask.", "You cook.", "Plan:\n\n1. Ask."]);
    expect(result).toMatchObject({ status: "completed", final_text: "Done." });
    expect(stops).toEqual([3]); // a subagent asks none [SUBAGENT-26]
  });

  it("is rejected if options constrain the first answer", () => {
    const provider = { name: "scripted", invokeModel: async () => say("") };
    expect(() => planFirst({ provider, options: { tool_choice: "required" } })).toThrow(/options\.tool_choice/);
    const output_format = { name: "x", schema: { type: "object" } };
    expect(() => planFirst({ provider, options: { output_format } })).toThrow(/options\.output_format/);
  });
});
