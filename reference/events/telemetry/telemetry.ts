// OpenTelemetry spans from the events of a run: one per run, per model request and per tool execution.

import {
  context as contexts,
  SpanKind,
  SpanStatusCode,
  trace as traces,
  type Attributes,
  type Context,
  type Span,
  type Tracer,
} from "@opentelemetry/api";
import { attribute, operation } from "./attributes.ts";
import { providerNames } from "./provider-names.ts";
import { contextOf, traceOf } from "./context.ts";
import { outputMessages } from "./content.ts";
import type { LoopEvent, Message, Outcome, StopReason, TraceContext, Usage } from "../../../schemas/types.ts";
import type { Watch, Watcher } from "../watchers.ts";

export { contextOf };

export interface Telemetry {
  /** Creates the spans. Default: the tracer of the provider registered with OpenTelemetry's API. */
  tracer?: Tracer;
  /** Whether spans record content: the model's messages, and the arguments and results of calls. Default: false. */
  content?: boolean;
}

/**
 * A watcher that emits spans. A run belongs to its `trace`, or else to the span that is active when it starts. A tool receives the
 * context of the span of its call, so that the run of a subagent, and anything else that a tool causes, is a child of it.
 * @see spec/loop/tracing.md, TOOL-36
 */
export function openTelemetry({
  tracer = traces.getTracer("agent-loop-spec"),
  content = false,
}: Telemetry = {}): Watch {
  return (trace) => new RunSpans(tracer, content, trace ? contextOf(trace) : contexts.active());
}

type EventOf<Type extends LoopEvent["type"]> = Extract<LoopEvent, { type: Type }>;

/** A completed request: its span stays open until its messages are known, and ends with the time at which the request did. */
interface Answered {
  span: Span;
  at: number;
  stop_reason: StopReason;
  messages: Message[];
}

class RunSpans implements Watcher {
  readonly #tracer: Tracer;
  readonly #hasContent: boolean;
  readonly #parent: Context;
  #run: Span | undefined;
  #inRun: Context;
  /** The attributes of every span of the run. */
  #shared: Attributes = {};
  /** The model of requests that name none. */
  #model: string | undefined;
  #request: Span | undefined;
  #answered: Answered | undefined;
  readonly #running = new Map<string, Span>();
  /** Tools that have ended, and when. Their results follow once the whole batch is done. */
  readonly #done = new Map<string, { span: Span; at: number }>();

  constructor(tracer: Tracer, hasContent: boolean, parent: Context) {
    this.#tracer = tracer;
    this.#hasContent = hasContent;
    this.#parent = parent;
    this.#inRun = parent;
  }

  onEvent(event: LoopEvent): void {
    switch (event.type) {
      case "run_start":
        return this.#begin(event);
      case "attempt_start":
        this.#endAnswered();
        return this.#beginRequest(event);
      case "message_start":
        return void this.#request?.setAttribute(attribute.stream, true);
      case "attempt_end":
        return this.#endRequest(event);
      case "model_end":
        return void this.#answered?.span.setAttributes(usageOf(event.usage, true));
      case "message":
        return this.#addMessage(event.message);
      case "tool_start":
        this.#endAnswered();
        return this.#beginTool(event);
      case "tool_end":
        return this.#endTool(event);
      case "handoff":
        return this.#handOver(event);
      case "turn_end":
        return this.#endTurn();
      case "run_end":
        return this.#end(event);
    }
  }

  traceOf({ id }: { id: string }): TraceContext | undefined {
    return traceOf(this.#running.get(id));
  }

  #begin({ agent, session_id, provider = "unknown", model }: EventOf<"run_start">): void {
    this.#shared = {
      [attribute.provider]: providerNames[provider] ?? provider,
      [attribute.conversation]: session_id,
      [attribute.agent]: agent,
    };
    this.#model = model;
    const attributes = { [attribute.operation]: operation.run, ...this.#shared, ...requested(model) };
    this.#run = this.#tracer.startSpan(`${operation.run} ${agent}`, { attributes }, this.#parent);
    this.#inRun = traces.setSpan(this.#parent, this.#run);
  }

  #beginRequest({ turn, attempt, model = this.#model }: EventOf<"attempt_start">): void {
    const place = { [attribute.turn]: turn, [attribute.attempt]: attempt };
    const attributes = { [attribute.operation]: operation.model, ...this.#shared, ...requested(model), ...place };
    const name = model === undefined ? operation.model : `${operation.model} ${model}`;
    this.#request = this.#tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, this.#inRun);
  }

  #endRequest({ stop_reason, error }: EventOf<"attempt_end">): void {
    const span = this.#request;
    if (!span) return;
    this.#request = undefined;
    span.setAttribute(attribute.finishReasons, [stop_reason]);
    if (error || stop_reason === "error") this.#fail(span, error?.kind ?? "_OTHER", error?.message);
    this.#answered = { span, at: performance.now(), stop_reason, messages: [] };
  }

  #addMessage(message: Message): void {
    if (message.type === "tool_result") return this.#addResult(message);
    if (!this.#answered || message.role === "user") return;
    this.#answered.messages.push(message);
    const { model } = (message.meta ?? {}) as { model?: string };
    if (model !== undefined) this.#answered.span.setAttribute(attribute.responseModel, model);
  }

  #beginTool({ turn, id, name, input }: EventOf<"tool_start">): void {
    const attributes = {
      [attribute.operation]: operation.tool,
      ...this.#shared,
      [attribute.tool]: name,
      [attribute.toolType]: "function",
      [attribute.callId]: id,
      [attribute.turn]: turn,
      ...(this.#hasContent && { [attribute.arguments]: JSON.stringify(input) }),
    };
    this.#running.set(id, this.#tracer.startSpan(`${operation.tool} ${name}`, { attributes }, this.#inRun));
  }

  #endTool({ id, outcome }: EventOf<"tool_end">): void {
    const span = this.#running.get(id);
    if (!span) return;
    this.#running.delete(id);
    span.setAttribute(attribute.outcome, outcome);
    if (!NO_ERROR.includes(outcome)) this.#fail(span, outcome);
    this.#done.set(id, { span, at: performance.now() });
  }

  #addResult({ id, output }: Extract<Message, { type: "tool_result" }>): void {
    const done = this.#done.get(id);
    if (!done) return;
    this.#done.delete(id);
    const text = typeof output === "string" ? output : JSON.stringify(output);
    if (this.#hasContent) done.span.setAttribute(attribute.result, text);
    done.span.end(done.at);
  }

  #handOver({ to }: EventOf<"handoff">): void {
    if (to !== null) this.#shared = { ...this.#shared, [attribute.agent]: to };
    this.#model = undefined; // the other agent may use another model
  }

  #endAnswered(): void {
    if (!this.#answered) return;
    const { span, at, stop_reason, messages } = this.#answered;
    this.#answered = undefined;
    if (this.#hasContent && messages.length > 0)
      span.setAttribute(attribute.outputMessages, outputMessages(messages, stop_reason));
    span.end(at);
  }

  /** Calls still without a result get none in this turn: the run is suspended. */
  #endTurn(): void {
    this.#endAnswered();
    for (const { span, at } of this.#done.values()) span.end(at);
    this.#done.clear();
  }

  #end({ result: { status, stop_reason, usage, error } }: EventOf<"run_end">): void {
    this.#endTurn();
    const run = this.#run;
    if (!run) return;
    run.setAttributes({ [attribute.status]: status, ...usageOf(usage, false) });
    if (stop_reason) run.setAttribute(attribute.finishReasons, [stop_reason]);
    if (error) this.#fail(run, error.kind, error.message);
    run.end();
  }

  /** @param message of the error, which may quote content */
  #fail(span: Span, type: string, message?: string): void {
    span.setAttribute(attribute.errorType, type);
    const text = this.#hasContent && message !== undefined && { message };
    span.setStatus({ code: SpanStatusCode.ERROR, ...text });
  }
}

/** Outcomes that are not errors of the tool. */
const NO_ERROR: Outcome[] = ["ok", "cancelled", "suspended"];

function requested(model: string | undefined): Attributes {
  return model === undefined ? {} : { [attribute.requestModel]: model };
}

/** The known token counts. Cache and reasoning tokens only for a single request. */
function usageOf(usage: Usage | undefined, isOfRequest: boolean): Attributes {
  if (!usage) return {};
  const counts = {
    [attribute.inputTokens]: usage.input_tokens,
    [attribute.outputTokens]: usage.output_tokens,
    ...(isOfRequest && {
      [attribute.cacheReadTokens]: usage.cache_read_tokens,
      [attribute.cacheWriteTokens]: usage.cache_write_tokens,
      [attribute.reasoningTokens]: usage.reasoning_tokens,
    }),
  };
  return Object.fromEntries(Object.entries(counts).flatMap(([name, count]) => (count === null ? [] : [[name, count]])));
}
