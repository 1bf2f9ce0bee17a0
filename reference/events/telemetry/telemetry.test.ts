// Spans of scripted runs, as exported: names, attributes, nesting, errors, and that every span ends.

import { context as contexts, SpanKind, SpanStatusCode, trace as traces } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { beforeEach, describe, expect, it } from "vitest";

import {
  agentLoop,
  defineTool,
  initSession,
  resume,
  ToolError,
  virtualClock,
  type DefinedTool,
  type ModelResponse,
  type RunSetup,
} from "../../index.ts";
import { subagentTool } from "../../run/subagent-tool.ts";
import { contextOf, openTelemetry } from "./telemetry.ts";

const exporter = new InMemorySpanExporter();
let open = 0;
const counting: SpanProcessor = {
  onStart: () => void (open += 1),
  onEnd: () => void (open -= 1),
  forceFlush: async () => {},
  shutdown: async () => {},
};
const tracer = new BasicTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(exporter), counting],
}).getTracer("test");
const watch = [openTelemetry({ tracer })];

beforeEach(() => {
  exporter.reset();
  open = 0;
});

const usage = {
  input_tokens: 10,
  output_tokens: 5,
  cache_read_tokens: 4,
  cache_write_tokens: null,
  reasoning_tokens: null,
};
const call = (id: string, name: string, input = {}): ModelResponse => ({
  messages: [{ type: "tool_call", id, name, input }],
  stop_reason: "tool_use",
  usage,
});
const say = (content: string): ModelResponse => ({
  messages: [{ role: "assistant", content }],
  stop_reason: "end_turn",
  usage,
  model: "m-2",
});
const fail = (kind: "overloaded" | "authentication"): ModelResponse => ({
  messages: [],
  stop_reason: "error",
  error: { kind, message: "secret words" },
});
const scripted = (...answers: ModelResponse[]) => ({
  name: "anthropic-messages",
  invokeModel: async () => answers.shift()!,
});
const tool = (name: string, execute: NonNullable<DefinedTool["execute"]>): DefinedTool => ({
  name,
  input_schema: { type: "object" },
  execute,
});

const session = () => initSession({ id: "s1", user: "Go." });
const spans = () => new Map(exporter.getFinishedSpans().map((span) => [span.name, span]));
const parentOf = (span: ReadableSpan | undefined) => span?.parentSpanContext?.spanId;
const idOf = (span: ReadableSpan | undefined) => span?.spanContext().spanId;

async function run(setup: RunSetup) {
  return agentLoop({ watch, model: "m-1", session: session(), ...setup }).result;
}

describe("the spans of a run", () => {
  it("are named and nested as the conventions say", async () => {
    await run({ provider: scripted(call("c1", "look"), say("Done.")), tools: [tool("look", async () => "seen")] });
    const [first, look, second, whole] = exporter.getFinishedSpans();
    expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual([
      "chat m-1",
      "execute_tool look",
      "chat m-1",
      "invoke_agent main",
    ]);
    expect(whole).toMatchObject({ kind: SpanKind.INTERNAL, status: { code: SpanStatusCode.UNSET } });
    expect(whole!.attributes).toEqual({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.provider.name": "anthropic",
      "gen_ai.conversation.id": "s1",
      "gen_ai.agent.name": "main",
      "gen_ai.request.model": "m-1",
      "gen_ai.response.finish_reasons": ["end_turn"],
      "gen_ai.usage.input_tokens": 20,
      "gen_ai.usage.output_tokens": 10,
      "agent_loop.status": "completed",
    });
    expect(first!.kind).toBe(SpanKind.CLIENT);
    expect(second!.attributes).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "m-1",
      "gen_ai.response.model": "m-2",
      "gen_ai.usage.input_tokens": 10,
      "gen_ai.usage.cache_read.input_tokens": 4,
      "gen_ai.response.finish_reasons": ["end_turn"],
      "agent_loop.turn": 2,
    });
    expect(second!.attributes).not.toHaveProperty("gen_ai.usage.cache_write.input_tokens");
    expect(look!.attributes).toMatchObject({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "look",
      "gen_ai.tool.call.id": "c1",
      "gen_ai.tool.type": "function",
      "agent_loop.outcome": "ok",
    });
    expect([first, look, second].map(parentOf)).toEqual([idOf(whole), idOf(whole), idOf(whole)]);
    expect(open).toBe(0);
  });

  it("include one for each failed request before the one that succeeds", async () => {
    const provider = scripted(fail("overloaded"), fail("overloaded"), say("Done."));
    const options = { max_retries: 1, fallback_models: ["m-3"] };
    const clock = virtualClock();
    const retried = agentLoop({ watch, model: "m-1", session: session(), provider, options, clock });
    for await (const event of retried) if (event.type === "wait_start") clock.advance(event.wait_ms);
    const chats = exporter.getFinishedSpans().slice(0, 3);
    expect(chats.map(({ name }) => name)).toEqual(["chat m-1", "chat m-1", "chat m-3"]);
    expect(chats.map(({ attributes }) => attributes["error.type"])).toEqual(["overloaded", "overloaded", undefined]);
    expect(chats.map(({ attributes }) => attributes["agent_loop.attempt"])).toEqual([1, 2, 3]);
    expect(chats.map(({ status }) => status.code)).toEqual([
      SpanStatusCode.ERROR,
      SpanStatusCode.ERROR,
      SpanStatusCode.UNSET,
    ]);
  });

  it("name the provider's model if the agent has none, and the agent after a handoff", async () => {
    const agents = {
      desk: { name: "desk", tools: [tool("pass", async () => ({ output: "ok", handoff: "cook" }))] },
      cook: { name: "cook" },
    };
    const provider = { ...scripted(call("c1", "pass"), say("Done.")), name: "ours", model: "m-0" };
    await agentLoop({ watch, provider, agents, agent: "desk", session: session() }).result;
    const [first, , second] = exporter.getFinishedSpans();
    expect(first).toMatchObject({ name: "chat m-0", attributes: { "gen_ai.provider.name": "ours" } });
    expect(second).toMatchObject({ name: "chat", attributes: { "gen_ai.agent.name": "cook" } });
  });

  it("report that a run failed, without the message of the error", async () => {
    await run({ provider: scripted(fail("authentication")) });
    const whole = spans().get("invoke_agent main")!;
    expect(whole.attributes).toMatchObject({ "error.type": "authentication", "agent_loop.status": "error" });
    expect(whole.status).toEqual({ code: SpanStatusCode.ERROR });
  });

  it("report the outcomes of tools", async () => {
    const tools = [
      tool("fails", async () => Promise.reject(new Error("secret words"))),
      tool("ends it", async () => Promise.reject(new ToolError("secret words", { fatal: true }))),
    ];
    await run({ provider: scripted(call("c1", "fails"), call("c2", "ends it")), tools });
    expect(spans().get("execute_tool fails")).toMatchObject({
      status: { code: SpanStatusCode.ERROR },
      attributes: { "error.type": "error", "agent_loop.outcome": "error" },
    });
    expect(spans().get("invoke_agent main")!.attributes["error.type"]).toBe("tool_fatal");
    expect(
      JSON.stringify(exporter.getFinishedSpans().map(({ status, attributes }) => [status, attributes])),
    ).not.toMatch(/secret/);
  });

  it("all end when a run is cancelled while a tool runs", async () => {
    const never = tool("never", () => new Promise(() => {}));
    const cancelled = agentLoop({ watch, provider: scripted(call("c1", "never")), tools: [never], session: session() });
    for await (const event of cancelled) if (event.type === "tool_start") cancelled.cancel();
    expect(open).toBe(0);
    expect(spans().get("execute_tool never")!.attributes["agent_loop.outcome"]).toBe("cancelled");
    expect(spans().get("invoke_agent main")).toMatchObject({
      status: { code: SpanStatusCode.UNSET },
      attributes: { "agent_loop.status": "cancelled" },
    });
  });

  it("all end when a run is cancelled during a model call, and when it cannot begin", async () => {
    const provider = { name: "silent", invokeModel: () => new Promise<ModelResponse>(() => {}) };
    const cancelled = agentLoop({ watch, provider, session: session() });
    for await (const event of cancelled) if (event.type === "attempt_start") cancelled.cancel();
    await run({ provider: scripted(), agent: "nobody", agents: {} });
    expect(open).toBe(0);
    expect(spans().get("chat")!.attributes["gen_ai.response.finish_reasons"]).toEqual(["interrupted"]);
    expect(spans().get("invoke_agent nobody")!.attributes["error.type"]).toBe("configuration");
  });

  it("end when a run suspends, and begin again when it resumes", async () => {
    const external = defineTool({ name: "ask", input_schema: { type: "object" } });
    const setup = { watch, provider: scripted(call("c1", "ask"), say("Done.")), tools: [external] };
    const { snapshot } = await agentLoop({ ...setup, session: session() }).result;
    const decisions = [{ id: "c1", action: "respond" as const, output: "Yes." }];
    await resume({ ...setup, snapshot: snapshot!, decisions }).result;
    const statuses = exporter.getFinishedSpans().map(({ attributes }) => attributes["agent_loop.status"]);
    expect(statuses).toEqual([undefined, "suspended", undefined, "completed"]);
    expect(open).toBe(0);
  });
});

describe("content", () => {
  it("is recorded only on request", async () => {
    const setup = { tools: [tool("look", async () => "a red door")] };
    await run({ provider: scripted(call("c1", "look", { at: "the house" }), say("It is red.")), ...setup });
    const without = JSON.stringify(exporter.getFinishedSpans().map(({ attributes }) => attributes));
    expect(without).not.toMatch(/red|house/);

    exporter.reset();
    const watch = [openTelemetry({ tracer, content: true })];
    const provider = scripted(call("c1", "look", { at: "the house" }), say("It is red."));
    await run({ provider, ...setup, watch });
    const [first, look, answered] = exporter.getFinishedSpans();
    expect(look!.attributes).toMatchObject({
      "gen_ai.tool.call.arguments": '{"at":"the house"}',
      "gen_ai.tool.call.result": "a red door",
    });
    expect(JSON.parse(String(first!.attributes["gen_ai.output.messages"]))).toEqual([
      {
        role: "assistant",
        parts: [{ type: "tool_call", id: "c1", name: "look", arguments: { at: "the house" } }],
        finish_reason: "tool_use",
      },
    ]);
    expect(JSON.parse(String(answered!.attributes["gen_ai.output.messages"]))).toMatchObject([
      { parts: [{ type: "text", content: "It is red." }] },
    ]);
  });
});

describe("the trace", () => {
  const given = { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", tracestate: "vendor=a" };

  it("of a run is the one in its setup; that of a tool is the span of its call", async () => {
    const handed: unknown[] = [];
    const look = tool("look", async (_, { trace }) => {
      handed.push(trace);
      return String(traces.getSpanContext(contextOf(trace))?.spanId);
    });
    await run({ provider: scripted(call("c1", "look"), say("Done.")), tools: [look], trace: given });
    const whole = spans().get("invoke_agent main")!;
    const executed = spans().get("execute_tool look")!;
    expect(whole.spanContext().traceId).toBe("0af7651916cd43dd8448eb211c80319c");
    expect(parentOf(whole)).toBe("b7ad6b7169203331");
    expect(handed).toEqual([
      { traceparent: `00-0af7651916cd43dd8448eb211c80319c-${idOf(executed)}-01`, tracestate: "vendor=a" },
    ]);
  });

  it("of a subagent continues from the call of its tool", async () => {
    const cook = { name: "cook", tools: [tool("stir", async () => "stirred")] };
    const provider = scripted(
      call("c1", "ask_cook", { prompt: "Soup!" }),
      call("c2", "stir"),
      say("Soup."),
      say("Done."),
    );
    await run({ provider, tools: [subagentTool({ name: "ask_cook", agent: cook })] });
    const outer = spans().get("execute_tool ask_cook");
    const inner = spans().get("invoke_agent cook");
    expect(parentOf(inner)).toBe(idOf(outer));
    expect(parentOf(spans().get("execute_tool stir"))).toBe(idOf(inner));
    expect(new Set(exporter.getFinishedSpans().map((span) => span.spanContext().traceId)).size).toBe(1);
    expect(exporter.getFinishedSpans()).toHaveLength(8);
    expect(open).toBe(0);
  });

  it("is ignored if it is invalid", () => {
    expect(contextOf({ traceparent: "nonsense" })).toBe(contexts.active());
    expect(contextOf(undefined)).toBe(contexts.active());
  });

  it("is separate for concurrent runs", async () => {
    const setup = () => ({
      provider: scripted(call("c1", "look"), say("Done.")),
      tools: [tool("look", async () => "ok")],
    });
    await Promise.all([run(setup()), run(setup())]);
    expect(new Set(exporter.getFinishedSpans().map((span) => span.spanContext().traceId)).size).toBe(2);
    expect(open).toBe(0);
  });
});

describe("without a span recorder", () => {
  it("a run and its tools behave as without a watcher", async () => {
    const handed: unknown[] = [];
    const look = tool("look", async (_, { trace }) => {
      handed.push(trace);
      return "seen";
    });
    const setup = { provider: scripted(call("c1", "look"), say("Done.")), tools: [look], watch: [openTelemetry()] };
    expect(await run(setup)).toMatchObject({ status: "completed" });
    expect(handed).toEqual([undefined]);
  });
});
