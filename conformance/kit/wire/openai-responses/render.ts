// Writes scripted answers and failures as OpenAI's Responses API sends them, whole or as a stream.

import type { ErrorKind } from "../../../../schemas/types.ts";
import type { ScriptedFault, ScriptedPart, ScriptedResponse, Transport, WireResponse } from "../codec.ts";
import { hasText, type JsonObject } from "../shared/json.ts";
import { finishedResponse, genericTypes, incompleteReasons, responseObject } from "./items.ts";
import { brokenStream, streamOf } from "./stream.ts";
import { jsonHeaders, streamHeaders } from "../shared/sse.ts";

const stopReasons = new Set(["end_turn", "tool_use", "refusal", ...Object.keys(incompleteReasons)]);

interface Failure {
  status: number;
  type: string;
  code: string | null;
  /** Its code where the response fails after it has begun. */
  inStream?: string;
}

const failures: Partial<Record<ErrorKind, Failure>> = {
  invalid_request: { status: 400, type: "invalid_request_error", code: null, inStream: "invalid_prompt" },
  authentication: { status: 401, type: "invalid_request_error", code: "invalid_api_key" },
  permission: { status: 403, type: "request_forbidden", code: "unsupported_country_region_territory" },
  not_found: { status: 404, type: "invalid_request_error", code: "model_not_found" },
  timeout: { status: 408, type: "timeout", code: null },
  request_too_large: { status: 413, type: "invalid_request_error", code: "request_too_large" },
  rate_limit: { status: 429, type: "tokens", code: "rate_limit_exceeded", inStream: "rate_limit_exceeded" },
  server_error: { status: 500, type: "server_error", code: "server_error", inStream: "server_error" },
  overloaded: {
    status: 503,
    type: "service_unavailable_error",
    code: "server_is_overloaded",
    inStream: "server_is_overloaded",
  },
};

export function errorBody(error: {
  message: string;
  type: string;
  code: string | null;
  param?: string | undefined;
}): JsonObject {
  return { error: { message: error.message, type: error.type, param: error.param ?? null, code: error.code } };
}

export function canExpress(scripted: ScriptedResponse | ScriptedFault, transport: Transport): true | string {
  return "kind" in scripted ? canFail(scripted, transport) : canSay(scripted);
}

function canSay({ parts, stop_reason, raw_stop_reason, usage }: ScriptedResponse): true | string {
  const calls = parts.some((part) => "tool_call" in part);
  if (stop_reason === "other") {
    if (!hasText(raw_stop_reason)) return "stop_reason other needs a raw_stop_reason";
    if (Object.values(incompleteReasons).includes(raw_stop_reason))
      return `OpenAI Responses knows the stop reason ${raw_stop_reason}`;
  } else if (!stopReasons.has(stop_reason)) return `OpenAI Responses has no stop reason ${stop_reason}`;
  if (calls && (stop_reason === "end_turn" || stop_reason === "refusal"))
    return "a response of OpenAI Responses that is complete and has calls asks for their results";
  if (stop_reason === "tool_use" && !calls) return "a response of OpenAI Responses asks for a tool by a call only";
  if (stop_reason === "refusal" && !parts.some((part) => "text" in part && part.text !== ""))
    return "OpenAI Responses refuses with a text";
  const { input_tokens, output_tokens, ...details } = usage;
  if ((input_tokens === null) !== (output_tokens === null))
    return "OpenAI Responses counts input and output tokens, or none";
  if (input_tokens === null && Object.values(details).some((count) => count !== null))
    return "OpenAI Responses counts details only of what it counts";
  return canSayParts(parts);
}

function canSayParts(parts: readonly ScriptedPart[]): true | string {
  for (const part of parts) {
    if ("tool_call" in part && !hasText(part.tool_call.id)) return "OpenAI Responses gives every call an id";
    if (!("provider_item" in part)) continue;
    const { type } = part.provider_item;
    if (typeof type !== "string" || genericTypes.has(type)) return `a provider_item of type ${String(type)} is not one`;
  }
  return true;
}

function canFail({ kind, after, retry_after_ms }: ScriptedFault, transport: Transport): true | string {
  if (after.length > 0 && transport === "json") return "only a stream can say something before it fails";
  if (kind === "stream_interrupted" && transport === "json") return "only a stream can be interrupted";
  if (kind === "network" && after.length > 0) return "a connection lost in a stream is stream_interrupted";
  if (kind === "stream_interrupted" || kind === "network" || kind === "invalid_response") return canSayParts(after);
  const failure = failures[kind];
  if (failure === undefined) return `${kind} is not a failure of the provider`;
  if (after.length > 0 && failure.inStream === undefined)
    return `OpenAI Responses reports ${kind} before the stream begins`;
  if (after.length > 0 && retry_after_ms !== undefined)
    return "an error event of OpenAI Responses cannot say how long to wait";
  return canSayParts(after);
}

export function renderResponse(response: ScriptedResponse, transport: Transport, request?: unknown): WireResponse {
  const headers = { "x-request-id": `req_${response.id}` };
  if (transport === "sse")
    return { status: 200, headers: { ...streamHeaders, ...headers }, writes: streamOf(response, request) };
  const body = finishedResponse(response, request);
  return { status: 200, headers: { ...jsonHeaders, ...headers }, writes: [{ text: JSON.stringify(body) }] };
}

export function renderFault(fault: ScriptedFault, transport: Transport): WireResponse {
  const headers = transport === "sse" ? streamHeaders : jsonHeaders;
  if (fault.kind === "network") return { status: 200, headers, writes: [], reset: true };
  if (fault.kind === "invalid_response" && transport === "json")
    return { status: 200, headers, writes: [{ text: '{"id":"resp_cut","obj' }] };

  const failure = failures[fault.kind];
  if (fault.after.length === 0 && failure !== undefined) {
    const writes = [{ text: JSON.stringify(errorBody({ ...failure, message: fault.message })) }];
    return {
      status: failure.status,
      headers: { ...jsonHeaders, "x-request-id": "req_kit", ...waitOf(fault.retry_after_ms) },
      writes,
    };
  }
  const said = { id: "fault", model: "kit", parts: fault.after, stop_reason: "error" } as const;
  if (failure !== undefined)
    return { status: 200, headers, writes: brokenStream(said, failureEvents(failure, fault.message)) };
  const begun = brokenStream(said, []);
  if (fault.kind !== "invalid_response") return { status: 200, headers, writes: begun };
  const cut = { text: 'event: response.completed\ndata: {"type":"response.completed","resp\n\n' };
  return { status: 200, headers, writes: [...begun, cut] };
}

function waitOf(ms: number | undefined): Record<string, string> {
  return ms === undefined ? {} : { "retry-after-ms": String(ms), "retry-after": String(Math.ceil(ms / 1000)) };
}

/**
 * How a response fails that has begun. The API was seen to do it in three ways: with the documented error event, with one that has
 * the error inside and the failed response after it, and with the failed response alone. Each kind of failure has one of them here.
 */
function failureEvents({ type, inStream }: Failure, message: string) {
  const code = inStream ?? null;
  const failed = {
    type: "response.failed",
    response: responseObject({ id: "fault", model: "kit" }, undefined, { status: "failed", error: { code, message } }),
  };
  if (code === "server_is_overloaded") return [{ type: "error", code, message, param: null }];
  if (code === "rate_limit_exceeded") return [{ type: "error", error: { type, code, message, param: null } }, failed];
  return [failed];
}
