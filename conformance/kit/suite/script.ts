// Reads a case's model entries into what the kit answers: generic responses, failures, or bytes of the wire.

import { isExtension } from "../base/extension-name.ts";
import { readFileSync } from "node:fs";
import type {
  Case,
  ChatDelta,
  Fixture,
  FixtureEvent,
  InitializeResult,
  Message,
  ModelEntry,
  ModelResponse,
  NamedEvent,
  ScriptedWrite,
  Usage,
} from "../../../schemas/types.ts";
import type { ScriptedFault, ScriptedPart, ScriptedResponse, Transport, WireResponse, Write } from "../wire/codec.ts";
import type { Cut } from "../wire/cut-response.ts";
import { eventText, fixtureAnswer } from "../wire/fixture-bytes.ts";
import { packagePath } from "../base/package-root.ts";
import { callMessage } from "../wire/shared/normal-form.ts";
import { streamOfType, typeOf } from "../wire/transports-by-type.ts";
import type { ScriptStep } from "./script-step.ts";
import { providers } from "./variant.ts";

/** The model that every run asks for, unless its driver has another name for it. */
export const replayModel = "replay";

/** What the driver calls the model on a seam. */
export function modelOf({ models = {} }: Pick<InitializeResult, "models">, seam: string): string {
  return models[seam] ?? replayModel;
}

const sseAnswer = { status: 200, headers: { "content-type": "text/event-stream" } };

/**
 * Reads the script of a filled case.
 * @param run makes the ids of the responses unique
 * @param transport over which exact writes go: a stream, unless it says otherwise
 * @param model the name of the model that answers
 */
export function readScript(source: Case, run: string, transport?: Transport, model = replayModel): ScriptStep[] {
  return source.model.map((entry, index) => readEntry(entry, index, { run, model, ...(transport && { transport }) }));
}

interface ReadFor {
  run: string;
  model: string;
  transport?: Transport;
}

function readEntry(entry: ModelEntry, index: number, { run, model, transport }: ReadFor): ScriptStep {
  const summary = entry.summary && { summary: true as const };
  if (entry.fault) return { kind: "fault", fault: readFault(entry.fault), ...summary };
  if (entry.reset === "before_headers")
    return { kind: "wire", answer: { status: 200, headers: {}, writes: [], reset: true } };
  const reset = entry.reset === undefined ? {} : { reset: true };
  if (entry.http) return { kind: "wire", answer: { ...httpAnswer(entry.http), ...reset } };
  if (entry.sse) {
    const writes = entry.sse.map((event) => ({ text: sseText(event, `${run}-${index + 1}`, model) }));
    return { kind: "wire", answer: { ...sseAnswer, writes, ...reset }, transport: "sse" };
  }
  if (entry.writes) {
    const answer = { ...answerOf(transport), writes: entry.writes.map(exactWrite) };
    return { kind: "wire", answer: { ...answer, ...reset }, oneByOne: true };
  }
  if (entry.raw !== undefined) return fixtureStep(entry.raw);
  const parts = (entry.respond ?? [{ text: entry.text! }]) as ScriptedPart[];
  const calls = parts.some((part) => "tool_call" in part);
  const response: ScriptedResponse = {
    parts,
    stop_reason: entry.stop_reason ?? (calls ? "tool_use" : "end_turn"),
    ...(entry.raw_stop_reason !== undefined && { raw_stop_reason: entry.raw_stop_reason }),
    usage: entry.usage ?? defaultUsage(index),
    model,
    id: `${run}-${index + 1}`,
  };
  return { kind: "response", response, ...(entry.reset !== undefined && { cut: entry.reset as Cut }), ...summary };
}

/** The head of an answer whose bytes the case writes. */
function answerOf(transport: Transport = "sse"): { status: number; headers: Record<string, string> } {
  return { status: 200, headers: { "content-type": typeOf(transport) } };
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
    raw_stop_reason: response.raw_stop_reason ?? (isExtension(response.stop_reason) ? null : response.stop_reason),
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

/** A write as it is scripted: a text, or bytes, once or many times. */
function exactWrite({ text, base64, times = 1, hold }: ScriptedWrite): Write {
  const held = hold === undefined ? {} : { hold };
  if (text !== undefined) return { text: text.repeat(times), ...held };
  const once = Buffer.from(base64 ?? "", "base64");
  const bytes = Buffer.concat(Array.from({ length: times }, () => once));
  return { text: bytes.toString("utf8"), bytes, ...held };
}

function sseText(event: string | FixtureEvent | NamedEvent | ChatDelta, id: string, model: string): string {
  if (typeof event === "string") return event;
  if ("named" in event) return eventText({ event: event.named.type, data: event.named });
  if ("delta" in event) return eventText({ data: chatChunk(event, id, model) });
  return eventText(event);
}

function chatChunk({ delta, finish_reason, index = 0 }: ChatDelta, id: string, model: string): object {
  const choice = { index, delta, finish_reason: finish_reason ?? null };
  return { id: `chatcmpl-${id}`, object: "chat.completion.chunk", created: 1_700_000_000, model, choices: [choice] };
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
  const transport = streamOfType(answer.headers["content-type"])?.name ?? "json";
  const provider = providers.find((name) => name === exchange.provider);
  return { kind: "wire", answer, transport, ...(provider && { provider }) };
}
