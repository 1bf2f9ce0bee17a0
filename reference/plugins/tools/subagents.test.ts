// Subagents: their own sessions, what comes up of them, and what stays with them.

import { describe, expect, it } from "vitest";
import {
  agentLoop,
  defineTool,
  initSession,
  resume,
  subagentTool,
  ToolError,
  virtualClock,
  type RunSetup,
} from "../../index.ts";
import type { LoopEvent, Message, ModelRequest, ModelResponse, Provider, RunResult } from "../../index.ts";

const object = { type: "object" as const };
const usage = {
  input_tokens: 10,
  output_tokens: 5,
  cache_read_tokens: null,
  cache_write_tokens: null,
  reasoning_tokens: null,
};
const say = (content: string): ModelResponse => ({
  messages: [{ role: "assistant", content }],
  stop_reason: "end_turn",
  usage,
  model: "m",
});
const call = (name: string, input = {}, id = `${name}-1`): Message => ({ type: "tool_call", id, name, input });
const ask = (...messages: Message[]): ModelResponse => ({ messages, stop_reason: "tool_use", usage, model: "m" });

/** Answers each agent with what is scripted for it; an agent is known by its instructions. */
function scripted(script: Record<string, (ModelResponse | Promise<ModelResponse>)[]>) {
  const requests: { of: string; request: ModelRequest }[] = [];
  const provider: Provider = {
    name: "scripted",
    async invokeModel(request, { signal }) {
      const [first] = request.messages;
      const of = first?.role === "system" ? String(first.content) : "main";
      requests.push({ of, request: structuredClone(request) });
      const aborted = new Promise<ModelResponse>((resolve) => {
        signal.addEventListener("abort", () => resolve({ messages: [], stop_reason: "interrupted" }), { once: true });
      });
      return Promise.race([script[of]!.shift()!, aborted]);
    },
  };
  return { provider, requests };
}

const never = new Promise<ModelResponse>(() => {});
const session = initSession({ id: "s", user: "Dinner, please." });
const cook = { name: "cook", instructions: "cook" };
const askCook = subagentTool({ name: "ask_cook", agent: cook });
const prompt = { prompt: "A soup." };

async function played(setup: RunSetup) {
  const run = agentLoop({ ...setup, session });
  const events: LoopEvent[] = [];
  for await (const event of run) events.push(event);
  return { result: await run.result, session: await run.session, events };
}

const resultsIn = (messages: Message[]) => messages.flatMap((one) => (one.type === "tool_result" ? [one] : []));

describe("a subagent", () => {
  it("has a session of its own; its final text is the result of the call", async () => {
    const { provider, requests } = scripted({
      main: [ask(call("ask_cook", prompt)), say("Done.")],
      cook: [say("Soup.")],
    });
    const { result, session: after, events } = await played({ provider, tools: [askCook] });
    expect(requests[1]!.request.messages.slice(1)).toEqual([{ role: "user", content: "A soup." }]);
    expect(resultsIn(after.messages)).toMatchObject([{ id: "ask_cook-1", output: "Soup.", outcome: "ok" }]);
    expect(result).toMatchObject({ status: "completed", turns: 2, tool_calls: 1, usage: { input_tokens: 30 } });
    expect(result.usage_by_model).toEqual({ m: result.usage });
    expect(result.steps[0]!.subagents).toMatchObject([{ id: "ask_cook-1", agent: "cook", session_id: "s/ask_cook-1" }]);
    const nested = events.flatMap((event) => (event.type === "subagent_event" ? [event.event] : []));
    expect(nested.map(({ seq }) => seq)).toEqual(nested.map((_, i) => i));
    expect(nested.at(-1)).toMatchObject({ type: "run_end", result: { status: "completed" } });
  });

  it("is an error of the call, and of nothing else, when it fails", async () => {
    const failed: ModelResponse = {
      messages: [],
      stop_reason: "error",
      error: { kind: "authentication", message: "no key" },
    };
    const { provider } = scripted({ main: [ask(call("ask_cook", prompt)), say("Done.")], cook: [failed] });
    const { result, session: after } = await played({ provider, tools: [askCook] });
    expect(result.status).toBe("completed");
    expect(resultsIn(after.messages)).toMatchObject([{ is_error: true, outcome: "error" }]);
    expect(resultsIn(after.messages)[0]!.output).toMatch(/cook ended with status error: no key/);
  });

  it("is cancelled with the run, and heard to its end", async () => {
    const { provider } = scripted({ main: [ask(call("ask_cook", prompt))], cook: [never] });
    const run = agentLoop({ provider, tools: [askCook], session });
    const events: LoopEvent[] = [];
    for await (const event of run) {
      events.push(event);
      if (event.type === "subagent_event" && event.event.type === "model_start") run.cancel();
    }
    const result = await run.result;
    expect(result.status).toBe("cancelled");
    expect(result.steps[0]!.subagents).toMatchObject([{ status: "cancelled" }]);
    expect(resultsIn((await run.session).messages)).toMatchObject([{ outcome: "cancelled" }]);
    const nested = events.flatMap((event) => (event.type === "subagent_event" ? [event.event] : []));
    expect(nested.at(-1)).toMatchObject({ type: "run_end", result: { status: "cancelled" } });
  });

  it("is cancelled when the time of its call is over", async () => {
    const clock = virtualClock();
    const { provider } = scripted({ main: [ask(call("ask_cook", prompt)), say("Done.")], cook: [never] });
    const slow = { ...askCook, timeout_ms: 50 };
    const run = agentLoop({ provider, tools: [slow], session, clock });
    for await (const event of run)
      if (event.type === "subagent_event" && event.event.type === "model_start") clock.advance(50);
    expect(resultsIn((await run.session).messages)).toMatchObject([{ outcome: "timeout" }]);
    expect((await run.result).steps[0]!.subagents).toMatchObject([{ status: "cancelled" }]);
  });

  it("cannot do what the run may not do", async () => {
    const wipe = defineTool({ name: "wipe", input_schema: object, execute: () => "wiped" });
    const { provider, requests } = scripted({
      main: [ask(call("ask_cook", prompt)), say("Done.")],
      cook: [ask(call("wipe")), say("I could not.")],
    });
    const permissions = {
      rules: [
        { effect: "deny" as const, match: "wipe" },
        { effect: "allow" as const, match: "ask_cook" },
      ],
    };
    const tool = subagentTool({ name: "ask_cook", agent: { ...cook, tools: [wipe] } });
    await played({ provider, tools: [tool], options: { permissions } });
    expect(requests[2]!.request.messages.at(-1)).toMatchObject({ type: "tool_result", outcome: "denied" });
  });

  it("ends alone when it is cancelled by itself", async () => {
    const { provider } = scripted({ main: [ask(call("ask_cook", prompt)), say("Done.")], cook: [never] });
    const tool = subagentTool({ name: "ask_cook", agent: cook, setup: { signal: AbortSignal.abort() } });
    const { result, session: after } = await played({ provider, tools: [tool] });
    expect(result.status).toBe("completed");
    expect(resultsIn(after.messages)).toMatchObject([{ is_error: true, outcome: "error" }]);
  });

  it("alone can wait: another tool that says so has failed", async () => {
    const execute = () => {
      throw new ToolError("later", { outcome: "suspended" });
    };
    const tool = defineTool({ name: "dawdle", input_schema: object, execute });
    const { provider } = scripted({ main: [ask(call("dawdle")), say("Done.")] });
    const { result, session: after } = await played({ provider, tools: [tool] });
    expect(result.status).toBe("completed");
    expect(resultsIn(after.messages)).toMatchObject([{ output: "later", outcome: "error" }]);
  });

  it("must be there", async () => {
    const { provider } = scripted({});
    const { result } = await played({ provider, tools: [subagentTool({ name: "ask_cook", agent: "cook" })] });
    expect(result.error).toMatchObject({
      kind: "configuration",
      message: expect.stringContaining('agent "cook", which is not defined'),
    });
  });
});

describe("the budget", () => {
  const prices = { currency: "USD", models: { m: { input: "100000", output: "0" } } }; // a call costs 1

  it("counts what subagents cost, and lets none start when it is spent", async () => {
    const { provider, requests } = scripted({
      main: [ask(call("ask_cook", prompt, "a"), call("ask_cook", prompt, "b")), say("never")],
      cook: [say("Soup."), say("never")],
    });
    const tools = [subagentTool({ name: "ask_cook", agent: { ...cook, model: "m" } })];
    const { result, session: after } = await played({ provider, model: "m", tools, options: { prices, budget: "2" } });
    expect(result).toMatchObject({ status: "budget", cost: "2", cost_by_model: { m: "2" } });
    expect(resultsIn(after.messages)).toMatchObject([{ outcome: "ok" }, { outcome: "not_executed", synthetic: true }]);
    expect(requests.map(({ of }) => of)).toEqual(["main", "cook"]);
  });

  it("ends a subagent that has spent what was left", async () => {
    const stir = defineTool({ name: "stir", input_schema: object, execute: () => "stirred" });
    const { provider } = scripted({
      main: [ask(call("ask_cook", prompt)), say("never")],
      cook: [ask(call("stir", {}, "x")), ask(call("stir", {}, "y")), say("never")],
    });
    const tools = [subagentTool({ name: "ask_cook", agent: { ...cook, model: "m", tools: [stir] } })];
    const { result } = await played({ provider, model: "m", tools, options: { prices, budget: "3" } });
    expect(result).toMatchObject({ status: "budget", cost: "3" });
    expect(result.steps[0]!.subagents).toMatchObject([{ status: "budget", turns: 2, cost: "2" }]);
  });
});

describe("a subagent that waits", () => {
  const question = defineTool({ name: "question", input_schema: object });
  const log: string[] = [];
  const note = defineTool({
    name: "note",
    input_schema: object,
    execute: () => {
      log.push("noted");
      return { output: "noted", context_updates: { noted: true } };
    },
  });
  const helper = { name: "helper", instructions: "helper", tools: [question] };
  const chef = { ...cook, tools: [subagentTool({ name: "ask_helper", agent: helper })] };
  const tools = [note, subagentTool({ name: "ask_cook", agent: chef })];
  const script = () => ({
    main: [ask(call("note"), call("ask_cook", prompt)), say("Done.")],
    cook: [ask(call("ask_helper", prompt)), say("Soup.")],
    helper: [ask(call("question")), say("With salt.")],
  });

  const suspended = async (): Promise<RunResult> => {
    const { provider } = scripted({ ...script() });
    return (await played({ provider, tools })).result;
  };

  it("has the run wait, with its pending calls by path", async () => {
    const { status, pending, usage: spent, snapshot } = await suspended();
    expect(status).toBe("suspended");
    expect(pending).toEqual([
      { id: "question-1", name: "question", input: {}, why: "external", path: ["ask_cook-1", "ask_helper-1"] },
    ]);
    expect(spent.input_tokens).toBe(30);
    expect(snapshot!.session.messages.at(-1)).toMatchObject({ type: "tool_call" });
  });

  it("goes on with the decisions about its calls; what was executed is not executed again", async () => {
    const { provider } = scripted(script());
    const first = agentLoop({ provider, tools, session });
    const snapshot = JSON.parse(JSON.stringify((await first.result).snapshot));
    const before = log.length;
    const decisions = [
      { id: "question-1", path: ["ask_cook-1", "ask_helper-1"], action: "respond" as const, output: "Yes." },
    ];
    const run = resume({ provider, tools, snapshot, decisions });
    const result = await run.result;
    expect(result).toMatchObject({ status: "completed", final_text: "Done.", context: { noted: true } });
    expect(log.length).toBe(before);
    expect(result.usage.input_tokens).toBe(60);
    expect(resultsIn((await run.session).messages).map(({ output }) => output)).toEqual(["noted", "Soup."]);
    expect(result.steps[0]!.tools?.map(({ name }) => name)).toEqual(["note", "ask_cook"]);
    expect(result.steps[0]!.subagents).toMatchObject([{ status: "completed", turns: 2, usage: { input_tokens: 40 } }]);
  });

  it("refuses decisions about other calls", async () => {
    const { snapshot } = await suspended();
    const { provider } = scripted(script());
    const decisions = [{ id: "question-1", action: "respond" as const, output: "Yes." }];
    const { error } = await resume({ provider, tools, snapshot: snapshot!, decisions }).result;
    expect(error).toMatchObject({
      kind: "configuration",
      message: expect.stringContaining("ask_cook-1/ask_helper-1/question-1"),
    });
  });
});
