// OpenTelemetry spans of a run and its subagent, and a tool that receives its trace context.

import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";

import { agentLoop, defineTool, initSession, subagentTool, type ModelResponse } from "../index.ts";
import { openTelemetry } from "../events/telemetry/telemetry.ts";

const call = (id: string, name: string) => ({ type: "tool_call" as const, id, name, input: { prompt: "Tea!" } });
const finalText = { role: "assistant" as const, content: "Tea is coming." };
const answers: ModelResponse[] = [
  { messages: [call("c1", "ask_cook")], stop_reason: "tool_use" },
  { messages: [call("c2", "boil")], stop_reason: "tool_use" },
  { messages: [finalText], stop_reason: "end_turn" },
  { messages: [finalText], stop_reason: "end_turn" },
];
const provider = { name: "scripted", model: "m", invokeModel: async () => answers.shift()! };
const exporter = new InMemorySpanExporter();
const tracers = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const execute = async (_: object, { trace }: { trace?: object }) => `asked with ${Object.keys(trace ?? {}).join()}`;
const boil = defineTool({ name: "boil", input_schema: { type: "object" }, execute });
const tools = [subagentTool({ name: "ask_cook", agent: { name: "cook", tools: [boil] } })];
const watch = [openTelemetry({ tracer: tracers.getTracer("example"), content: true })];
await agentLoop({ provider, tools, watch, session: initSession({ id: "tea", user: "Tea, please." }) }).result;
const names = new Map(exporter.getFinishedSpans().map((span) => [span.spanContext().spanId, span.name]));
for (const { name, parentSpanContext: parent, attributes } of exporter.getFinishedSpans())
  console.log(name, "<", parent && names.get(parent.spanId), attributes["gen_ai.tool.call.result"] ?? "");
