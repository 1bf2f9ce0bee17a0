// Writes scripted answers and failures as OpenAI's Chat Completions API sends them, whole or as a stream.

import type { ErrorKind } from "../../../../schemas/types.ts";
import type { ScriptedFault, ScriptedPart, ScriptedResponse, Transport, WireResponse, Write } from "../codec.ts";
import { canRefuseAndCount, errorBody, errorHeaders, type OpenAIFailure } from "../openai/answers.ts";
import { canFail, canStop, renderFault as renderFaultAs, type FaultFormat } from "../shared/faults.ts";
import { isObject, type JsonObject } from "../shared/json.ts";
import { argumentsOf } from "../shared/normal-form.ts";
import { completing, dataEvent, piecesOf } from "../shared/sse.ts";
import { answerOver, transportNamed } from "../shared/transports.ts";
import { isStreamed } from "../transport.ts";
import { transports } from "./transports.ts";

const finishReasons: Partial<Record<ScriptedResponse["stop_reason"], string>> = {
  end_turn: "stop",
  tool_use: "tool_calls",
  max_tokens: "length",
  content_filter: "content_filter",
  // The refusal itself is in a field of its own.
  refusal: "stop",
};

const failures: Partial<Record<ErrorKind, OpenAIFailure>> = {
  invalid_request: { status: 400, type: "invalid_request_error", code: null, inStream: true },
  authentication: { status: 401, type: "invalid_request_error", code: "invalid_api_key" },
  permission: { status: 403, type: "request_forbidden", code: null },
  not_found: { status: 404, type: "invalid_request_error", code: "model_not_found" },
  timeout: { status: 408, type: "timeout", code: null, inStream: true },
  request_too_large: { status: 413, type: "invalid_request_error", code: "request_too_large" },
  rate_limit: { status: 429, type: "requests", code: "rate_limit_exceeded", inStream: true },
  quota: { status: 429, type: "insufficient_quota", code: "insufficient_quota", inStream: true },
  server_error: { status: 500, type: "server_error", code: null, inStream: true },
  overloaded: { status: 503, type: "server_error", code: "engine_overloaded", inStream: true },
};

const api = "OpenAI Chat";
const stopReasons = {
  generic: new Set(Object.keys(finishReasons)),
  raw: new Set([...Object.values(finishReasons), "function_call"]),
};

const faultFormat: FaultFormat<OpenAIFailure> = {
  api,
  transports,
  failures,
  errorBody: (failure, message) => errorBody({ ...failure, message }),
  headers: errorHeaders,
  canExpressParts,
  stream: (parts, id, failed) => [
    ...beginning({ id, model: "kit", parts, stop_reason: "error" }, false),
    ...(failed ? [dataEvent(errorBody({ ...failed.failure, message: failed.message }))] : []),
  ],
  cut: { body: '{"id":"chatcmpl-cut","obj', event: 'data: {"id":"chatcmpl-fault","choi\n\n' },
};

/** The order of the parts of a response in Chat, whatever the order of the deltas. */
const ranks = ["thinking", "text", "tool_call"] as const;

export function canExpress(scripted: ScriptedResponse | ScriptedFault, transport: Transport): true | string {
  if ("kind" in scripted) return canFail(faultFormat, scripted, transport);
  const problems = [
    canStop(api, scripted, stopReasons),
    canRefuseAndCount(api, scripted),
    canExpressParts(scripted.parts),
  ];
  return problems.find((problem) => problem !== true) ?? true;
}

function canExpressParts(parts: readonly ScriptedPart[]): true | string {
  for (const part of parts) {
    if ("provider_item" in part) return "OpenAI Chat has no items beside text, reasoning and calls";
    if ("thinking" in part && part.redacted === true) return "OpenAI Chat has no redacted thinking";
    if ("thinking" in part && part.signature !== undefined) return "OpenAI Chat has no signatures";
  }
  const order = parts.map((part) => ranks.findIndex((kind) => kind in part));
  const outOfOrder = order.some((rank, at) => at > 0 && rank < (order[at - 1] ?? 0));
  if (outOfOrder) return "OpenAI Chat has thinking before text, and text before calls";
  const several = order.some((rank, at) => at > 0 && rank === order[at - 1] && rank < ranks.indexOf("tool_call"));
  return several ? "OpenAI Chat has one text and one thinking in a response" : true;
}

export function renderResponse(response: ScriptedResponse, transport: Transport, request?: unknown): WireResponse {
  const headers = { "x-request-id": `req_${response.id}` };
  const over = transportNamed(transports, transport);
  if (isStreamed(transport)) return answerOver(over, streamOf(response, asksForUsage(request)), headers);
  const choice = { index: 0, message: messageOf(response), logprobs: null, finish_reason: finishOf(response) };
  const usage = usageOf(response.usage);
  const body = { ...envelope(response, "chat.completion"), choices: [choice], ...(usage && { usage }) };
  return answerOver(over, [{ text: JSON.stringify(body) }], headers);
}

export function renderFault(fault: ScriptedFault, transport: Transport): WireResponse {
  return renderFaultAs(faultFormat, fault, transport);
}

type ResponseContent = Pick<ScriptedResponse, "id" | "model" | "parts" | "stop_reason">;

function asksForUsage(request: unknown): boolean {
  if (!isObject(request)) return true;
  return isObject(request["stream_options"]) && request["stream_options"]["include_usage"] === true;
}

function finishOf({ stop_reason, raw_stop_reason }: ScriptedResponse): string {
  return (stop_reason === "other" ? raw_stop_reason : finishReasons[stop_reason]) ?? "stop";
}

function envelope({ id, model }: Pick<ScriptedResponse, "id" | "model">, object: string): JsonObject {
  return {
    id: `chatcmpl-${id}`,
    object,
    created: 1_700_000_000,
    model,
    service_tier: "default",
    system_fingerprint: "fp_kit",
  };
}

/** Nothing if nothing was counted; a detail that was not counted is left out. */
function usageOf(usage: ScriptedResponse["usage"]): JsonObject | undefined {
  const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens } = usage;
  if (input_tokens === null || output_tokens === null) return undefined;
  const prompt = {
    ...(cache_read_tokens !== null && { cached_tokens: cache_read_tokens }),
    ...(cache_write_tokens !== null && { cache_write_tokens }),
  };
  const completion = reasoning_tokens === null ? {} : { reasoning_tokens };
  return {
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    total_tokens: input_tokens + output_tokens,
    ...(Object.keys(prompt).length > 0 && { prompt_tokens_details: prompt }),
    ...(reasoning_tokens !== null && { completion_tokens_details: completion }),
  };
}

function messageOf(response: ResponseContent): JsonObject {
  const text = response.parts.find((part) => "text" in part)?.text ?? null;
  const thinking = response.parts.find((part) => "thinking" in part)?.thinking;
  const calls = response.parts.flatMap((part) => ("tool_call" in part ? [part.tool_call] : []));
  const refuses = response.stop_reason === "refusal";
  return {
    role: "assistant",
    content: refuses ? null : text,
    refusal: refuses ? text : null,
    ...(thinking !== undefined && { reasoning_content: thinking }),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call) => ({ ...idOf(call), type: "function", function: functionOf(call) })),
    }),
  };
}

type Call = Extract<ScriptedPart, { tool_call: unknown }>["tool_call"];

/** Some servers leave the id out, some send it empty. */
function idOf(call: Call): { id?: string } {
  return call.id === undefined ? {} : { id: call.id };
}

function functionOf(call: Call): { name: string; arguments: string } {
  return { name: call.name, arguments: argumentsOf(call) };
}

function streamOf(response: ScriptedResponse, withUsage: boolean): Write[] {
  const pending = withUsage ? { usage: null } : {};
  const finish = { choices: [{ index: 0, delta: {}, logprobs: null, finish_reason: finishOf(response) }], ...pending };
  const usage = withUsage ? usageOf(response.usage) : undefined;
  const head = envelope(response, "chat.completion.chunk");
  return [
    ...beginning(response, withUsage),
    dataEvent({ ...head, ...finish }),
    ...(usage === undefined ? [] : [dataEvent({ ...head, choices: [], usage })]),
    dataEvent("[DONE]"),
  ];
}

/** The stream up to the last delta of its last part. */
function beginning(response: ResponseContent, withUsage: boolean): Write[] {
  const head = envelope(response, "chat.completion.chunk");
  const chunk = (delta: JsonObject) =>
    dataEvent({
      ...head,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: null }],
      ...(withUsage && { usage: null }),
    });
  const hasTextPart = response.parts.some((part) => "text" in part) && response.stop_reason !== "refusal";
  const role = chunk({ role: "assistant", content: hasTextPart ? "" : null, refusal: null });
  let calls = 0;
  const parts = response.parts.map((part, at) => {
    const deltas = deltasOf(part, response, calls);
    if ("tool_call" in part) calls += 1;
    return completing(deltas.map(chunk), at + 1);
  });
  return [role, ...parts.flat()];
}

function deltasOf(part: ScriptedPart, response: ResponseContent, index: number): JsonObject[] {
  if ("tool_call" in part) {
    const { name, arguments: written } = functionOf(part.tool_call);
    const first = { index, ...idOf(part.tool_call), type: "function", function: { name, arguments: "" } };
    const rest = piecesOf(written).map((piece) => ({ index, function: { arguments: piece } }));
    return [first, ...rest].map((call) => ({ tool_calls: [call] }));
  }
  const [field, text] =
    "thinking" in part
      ? ["reasoning_content", part.thinking]
      : [response.stop_reason === "refusal" ? "refusal" : "content", "text" in part ? part.text : ""];
  const pieces = piecesOf(text);
  return (pieces.length === 0 ? [""] : pieces).map((piece) => ({ [field]: piece }));
}
