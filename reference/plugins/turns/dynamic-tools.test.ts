// Tools that a function makes, beyond what a case can show: a cancel while they are made, subagents, journals, and drift.

import type { MakeTools } from "../../tools/turn-info.ts";
import { describe, expect, it } from "vitest";

import { agentLoop, recover, resume } from "../../run/run.ts";
import type { Provider } from "../../core/ports.ts";
import { initSession } from "../../core/session.ts";
import { defineTool } from "../../tools/define-tool.ts";
import type { Journal } from "../../state/journal-records.ts";
import { subagentTool } from "../../run/subagent-tool.ts";
import type { JournalRecord, ModelRequest, ModelResponse } from "../../../schemas/types.ts";

const session = initSession({ id: "s", user: "Go." });
const input_schema = { type: "object" } as const;
const call = (...names: string[]): ModelResponse => ({
  messages: names.map((name, i) => ({ type: "tool_call", id: `${name}${i}`, name, input: {} })),
  stop_reason: "tool_use",
});
const done: ModelResponse = { messages: [{ role: "assistant", content: "Done." }], stop_reason: "end_turn" };

function scripted(...responses: ModelResponse[]): Provider & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return { name: "scripted", requests, invokeModel: async (request) => (requests.push(request), responses.shift()!) };
}

const declared = ({ requests }: { requests: ModelRequest[] }) =>
  requests.map(({ tools }) => tools.map(({ name }) => name));
const returning = (output: string) => () => output;
const look = defineTool({ name: "look", input_schema, execute: returning("seen") });
const write = defineTool({ name: "write", input_schema, execute: returning("written") });

function kept(records: JournalRecord[] = []): Journal & { records: JournalRecord[] } {
  return { records, read: async () => records, append: async (more) => void records.push(...more) };
}

describe("a function that makes tools", () => {
  it("is told what there is in its turn, and asked once, also where the run is steered before a turn", async () => {
    const turns: number[] = [];
    const provider = scripted(call("look"), done, done);
    const tools: MakeTools = ({ turn, agent, session: { messages } }) => {
      turns.push(turn);
      expect(agent).toBe("main");
      messages.length = 0;
      return turn === 1 ? [look] : [look, write];
    };
    const run = agentLoop({ session, provider, tools });
    for await (const event of run) if (event.type === "tool_end") run.steer("Hurry.");
    expect(await run.result).toMatchObject({ status: "completed" });
    expect(turns).toEqual([1, 2]);
    expect(declared(provider)).toEqual([["look"], ["look", "write"]]);
    expect((await run.session).messages).toHaveLength(5);
  });

  it("may give the same list each time, and change it later without effect on the turn", async () => {
    const list = [look, write];
    const provider = scripted(call("write"), done);
    const invokeModel: Provider["invokeModel"] = async (request, at) => {
      const response = await provider.invokeModel(request, at);
      list.length = 1;
      return response;
    };
    const run = agentLoop({ session, provider: { name: "scripted", invokeModel }, tools: () => list });
    expect((await run.result).status).toBe("completed");
    expect((await run.session).messages[2]).toMatchObject({ type: "tool_result", output: "written" });
    expect(declared(provider)).toEqual([["look", "write"], ["look"]]);
  });

  it("makes those of an agent that takes over from one with a list", async () => {
    const over = defineTool({ name: "over", input_schema, execute: () => ({ output: "over", handoff: "cook" }) });
    const provider = scripted(call("over"), call("look"), done);
    const agents = { desk: { name: "desk", tools: [over] }, cook: { name: "cook", tools: () => [look] } };
    expect(await agentLoop({ session, provider, agents, agent: "desk" }).result).toMatchObject({ status: "completed" });
    expect(declared(provider)).toEqual([["over"], ["look"], ["look"]]);
  });

  it("does not keep a cancelled run waiting", async () => {
    const provider = scripted(done);
    const run = agentLoop({ session, provider, tools: () => new Promise(() => {}) });
    for await (const event of run) if (event.type === "run_start") setImmediate(() => run.cancel());
    expect((await run.result).status).toBe("cancelled");
    expect(provider.requests).toEqual([]);
  });

  it("that gives no list ends the run", async () => {
    const run = agentLoop({ session, provider: scripted(done), tools: (() => "look") as never });
    expect((await run.result).error).toEqual({
      kind: "configuration",
      message: 'The function that makes the tools of main failed: expected a list of tools, got "look"',
    });
  });

  it("may make a tool that is an agent, if the agent is there", async () => {
    const helper = { name: "helper", tools: () => [look] };
    const ask = subagentTool({ name: "ask", agent: "helper", description: "Asks." });
    const response = call("ask");
    Object.assign(response.messages[0]!, { input: { prompt: "Look." } });
    const provider = scripted(response, done, done);
    const agents = { main: { name: "main", tools: () => [ask] }, helper };
    expect((await agentLoop({ session, provider, agents, agent: "main" }).result).status).toBe("completed");
    expect(declared(provider)).toEqual([["ask"], ["look"], ["ask"]]);
    const alone = agentLoop({ session, provider: scripted(done), tools: () => [ask] });
    expect((await alone.result).error).toMatchObject({
      kind: "configuration",
      message: expect.stringMatching(/helper/),
    });
  });

  it("is asked again by a run that was suspended, and what has changed is said", async () => {
    const question = defineTool({ name: "question", input_schema });
    const provider = scripted(call("question", "look"), done);
    const first = await agentLoop({ session, provider, tools: () => [question, look, write] }).result;
    const decisions = [{ id: "question0", action: "respond", output: "Yes." } as const];
    const again = resume({ snapshot: first.snapshot!, decisions, provider, tools: () => [question, look] });
    const warnings: string[] = [];
    for await (const event of again) if (event.type === "warning") warnings.push(event.message);
    expect(warnings).toEqual([expect.stringMatching(/^The tool write is gone/)]);
    expect((await again.session).messages[4]).toMatchObject({ type: "tool_result", output: "seen" });
  });

  it("leaves a snapshot as it is where it throws on a resume", async () => {
    const question = defineTool({ name: "question", input_schema });
    const first = await agentLoop({ session, provider: scripted(call("question")), tools: [question] }).result;
    const broken: MakeTools = () => {
      throw new Error("no server");
    };
    const decisions = [{ id: "question0", action: "respond", output: "Yes." } as const];
    const again = resume({ snapshot: first.snapshot!, decisions, provider: scripted(done), tools: broken });
    expect((await again.result).error).toMatchObject({
      kind: "configuration",
      message: expect.stringMatching(/no server/),
    });
    expect((await again.session).messages).toEqual(first.snapshot!.session.messages);
  });

  it("is asked again by a run that is recovered in the middle of a batch", async () => {
    const journal = kept();
    const provider = scripted(call("look", "write"));
    let wroteDown = Infinity; // the process dies while `write` runs
    const dying = defineTool({
      name: "write",
      input_schema,
      annotations: { idempotent: true },
      execute: () => ((wroteDown = journal.records.length), new Promise<string>(() => {})),
    });
    const hanging = agentLoop({ session, provider, journal, tools: () => [look, dying] });
    for await (const event of hanging) if (event.type === "tool_start" && event.name === "write") break;
    await new Promise(setImmediate);
    const left = kept(structuredClone(journal.records.slice(0, wroteDown)));
    hanging.cancel();
    await hanging.result; // its session is free again
    const tools = () => [look, { ...write, annotations: { idempotent: true } }];
    const run = recover({ journal: left, provider: scripted(done), tools });
    const warnings: string[] = [];
    for await (const event of run) if (event.type === "warning") warnings.push(event.message);
    expect((await run.result).status).toBe("completed");
    expect(warnings).toEqual([]);
    expect((await run.session).messages[4]).toMatchObject({ type: "tool_result", output: "written", outcome: "ok" });
  });
});
