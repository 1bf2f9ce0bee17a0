// Reads a case's model entries into what the kit answers: generic responses, failures, or bytes of the wire.

import { readFileSync } from "node:fs";
import type {
  Case,
  Fixture,
  FixtureEvent,
  FixtureResponse,
  Message,
  ModelEntry,
  ModelResponse,
  Usage,
} from "../../reference/types.ts";
import type { ProviderName, ScriptedFault, ScriptedPart, ScriptedResponse, Transport, WireResponse } from "./codec.ts";
import { packagePath } from "./package-root.ts";
import { callMessage } from "./providers/normal-form.ts";

/** What the kit answers to one model call. */
export type ScriptStep =
  | { kind: "response"; response: ScriptedResponse }
  | { kind: "fault"; fault: ScriptedFault }
  /** Bytes, and, where they come from a fixture, whose they are. */
  | { kind: "wire"; answer: WireResponse; provider?: ProviderName; transport?: Transport };

/** The model that every run asks for. */
export const replayModel = "replay";

/** Reads the script of a filled case. `run` makes the ids of the responses unique. */
export function readScript(source: Case, run: string): ScriptStep[] {
  return source.model.map((entry, index) => readEntry(entry, index, run));
}

function readEntry(entry: ModelEntry, index: number, run: string): ScriptStep {
  if (entry.fault) return { kind: "fault", fault: readFault(entry.fault) };
  if (entry.http) return { kind: "wire", answer: httpAnswer(entry.http) };
  if (entry.sse)
    return {
      kind: "wire",
      answer: {
        status: 200,
        headers: { "content-type": "text/event-stream" },
        writes: entry.sse.map((event) => ({ text: sseText(event) })),
      },
      transport: "sse",
    };
  if (entry.raw !== undefined) return fixtureStep(entry.raw);
  const parts = (entry.respond ?? [{ text: entry.text! }]) as ScriptedPart[];
  const calls = parts.some((part) => "tool_call" in part);
  const response: ScriptedResponse = {
    parts,
    stop_reason: entry.stop_reason ?? (calls ? "tool_use" : "end_turn"),
    ...(entry.raw_stop_reason !== undefined && { raw_stop_reason: entry.raw_stop_reason }),
    usage: entry.usage ?? defaultUsage(index),
    model: replayModel,
    id: `${run}-${index + 1}`,
  };
  return { kind: "response", response };
}

function readFault(fault: NonNullable<ModelEntry["fault"]>): ScriptedFault {
  return {
    kind: fault.kind,
    message: fault.message ?? `The kit makes this call fail with ${fault.kind}.`,
    ...("retry_after_ms" in fault && { retry_after_ms: fault.retry_after_ms as number }),
    after: (fault.after ?? []) as ScriptedPart[],
  };
}

/** Other numbers for each call, so that a sum that leaves one out or counts one twice is wrong. */
function defaultUsage(index: number): Usage {
  return {
    input_tokens: 101 + 17 * index,
    output_tokens: 11 + 5 * index,
    cache_read_tokens: null,
    cache_write_tokens: null,
    reasoning_tokens: null,
  };
}

/**
 * What a response is on the generic seam, where the kit stands in for the adapter.
 * @param provider whose provider items the script has
 */
export function genericResponse(response: ScriptedResponse, provider: string): ModelResponse {
  return {
    messages: genericMessages(response, provider),
    stop_reason: response.stop_reason,
    raw_stop_reason: response.raw_stop_reason ?? response.stop_reason,
    usage: response.usage,
    model: response.model,
    provider,
  };
}

/** The generic messages of scripted parts. */
export function genericMessages(
  { parts, model, id }: Pick<ScriptedResponse, "parts" | "model" | "id">,
  provider: string,
): Message[] {
  return parts.map((part, at): Message => {
    if ("text" in part) return { role: "assistant", content: part.text };
    if ("provider_item" in part) return { type: "provider_item", provider, model, item: part.provider_item };
    if ("tool_call" in part) return callMessage(part.tool_call);
    const signature = part.signature ?? `signature-${id}-${at}`;
    if (part.redacted) return { type: "thinking", content: "", opaque: { provider, model, redacted: signature } };
    return { type: "thinking", content: part.thinking, opaque: { provider, model, signature } };
  });
}

function httpAnswer({ status, headers = {}, body, text }: NonNullable<ModelEntry["http"]>): WireResponse {
  if (text !== undefined) return { status, headers: { "content-type": "text/plain", ...headers }, writes: [{ text }] };
  if (body === undefined) return { status, headers, writes: [] };
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    writes: [{ text: JSON.stringify(body) }],
  };
}

function sseText(event: string | FixtureEvent): string {
  if (typeof event === "string") return event;
  const data = typeof event.data === "string" ? event.data : JSON.stringify(event.data);
  const lines = data.split("\n").map((line) => `data: ${line}\n`);
  return `${event.event === undefined ? "" : `event: ${event.event}\n`}${lines.join("")}\n`;
}

const read = new Map<string, Fixture>();

function fixtureStep(name: string): ScriptStep {
  const [path = "", number = "1"] = name.split("#");
  const file = packagePath("fixtures", `${path}.json`);
  const fixture = read.get(file) ?? (JSON.parse(readFileSync(file, "utf8")) as Fixture);
  read.set(file, fixture);
  const exchange = fixture.exchanges[Number(number) - 1];
  if (!exchange) throw new Error(`fixtures/${path}.json has no exchange ${number}`);
  const answer = fixtureAnswer(exchange.response);
  const transport = answer.headers["content-type"]?.startsWith("text/event-stream") ? "sse" : "json";
  const known = exchange.provider === "anthropic-messages" || exchange.provider === "openai-chat";
  return { kind: "wire", answer, transport, ...(known && { provider: exchange.provider as ProviderName }) };
}

/** What the server sends for a recorded or crafted response. */
export function fixtureAnswer({ status, headers = {}, body, text, events, writes }: FixtureResponse): WireResponse {
  if (events)
    return {
      status,
      headers: { "content-type": "text/event-stream", ...headers },
      writes: events.map((event) => ({ text: sseText(event) })),
    };
  if (writes)
    return {
      status,
      headers,
      writes: writes.map((write) => ({
        text: write.text ?? Buffer.from(write.base64 ?? "", "base64").toString("utf8"),
      })),
    };
  return httpAnswer({ status, headers, ...(body !== undefined && { body }), ...(text !== undefined && { text }) });
}
