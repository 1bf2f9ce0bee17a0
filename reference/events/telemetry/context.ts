// Converts trace contexts between a run and OpenTelemetry's API.

import {
  context as contexts,
  createTraceState,
  isSpanContextValid,
  trace as traces,
  TraceFlags,
  type Context,
  type Span,
} from "@opentelemetry/api";
import type { TraceContext } from "../../../schemas/types.ts";

/** The context of a trace, for `context.with`: spans created inside it belong to the trace. Without a trace: the active context. */
export function contextOf(trace: TraceContext | undefined): Context {
  const [, traceId = "", spanId = "", flags = "00"] = trace?.traceparent.split("-") ?? [];
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  const spanContext = { traceId, spanId, traceFlags, isRemote: true };
  if (!trace || !isSpanContextValid(spanContext)) return contexts.active();
  const { tracestate } = trace;
  const state = tracestate === undefined ? {} : { traceState: createTraceState(tracestate) };
  return traces.setSpanContext(contexts.active(), { ...spanContext, ...state });
}

/** The trace context that makes a span the parent of remote spans. Undefined if spans are not recorded. */
export function traceOf(span: Span | undefined): TraceContext | undefined {
  const context = span?.spanContext();
  if (!context || !isSpanContextValid(context)) return undefined;
  const { traceId, spanId, traceFlags, traceState } = context;
  const tracestate = traceState?.serialize();
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
    ...(tracestate && { tracestate }),
  };
}
