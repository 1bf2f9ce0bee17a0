// Writes scripted answers and failures as OpenAI's Responses API sends them, whole or as a stream.

import type { ErrorKind } from "../../../../schemas/types.ts";
import type { ScriptedFault, ScriptedPart, ScriptedResponse, Transport, WireResponse } from "../codec.ts";
import { canRefuseAndCount, errorBody, errorHeaders, type OpenAIFailure } from "../openai/answers.ts";
import { canFail, canStop, renderFault as renderFaultAs, type FaultFormat } from "../shared/faults.ts";
import { hasText } from "../shared/json.ts";
import { finishedResponse, genericTypes, incompleteReasons, responseObject } from "./items.ts";
import { brokenStream, streamOf } from "./stream.ts";
import { answerOver, transportNamed } from "../shared/transports.ts";
import { isStreamed } from "../transport.ts";
import { transports } from "./transports.ts";

interface ResponsesFailure extends OpenAIFailure {
  /** Its code where the response fails after it has begun. */
  inStream?: string;
}

const failures: Partial<Record<ErrorKind, ResponsesFailure>> = {
  invalid_request: { status: 400, type: "invalid_request_error", code: null, inStream: "invalid_prompt" },
  authentication: { status: 401, type: "invalid_request_error", code: "invalid_api_key" },
  permission: { status: 403, type: "request_forbidden", code: "unsupported_country_region_territory" },
  not_found: { status: 404, type: "invalid_request_error", code: "model_not_found" },
  timeout: { status: 408, type: "timeout", code: null },
  request_too_large: { status: 413, type: "invalid_request_error", code: "request_too_large" },
  rate_limit: { status: 429, type: "tokens", code: "rate_limit_exceeded", inStream: "rate_limit_exceeded" },
  quota: { status: 429, type: "insufficient_quota", code: "insufficient_quota", inStream: "insufficient_quota" },
  server_error: { status: 500, type: "server_error", code: "server_error", inStream: "server_error" },
  overloaded: {
    status: 503,
    type: "service_unavailable_error",
    code: "server_is_overloaded",
    inStream: "server_is_overloaded",
  },
};

const api = "OpenAI Responses";
const stopReasons = {
  generic: new Set(["end_turn", "tool_use", "refusal", ...Object.keys(incompleteReasons)]),
  raw: new Set(Object.values(incompleteReasons)),
};

const faultFormat: FaultFormat<ResponsesFailure> = {
  api,
  transports,
  failures,
  errorBody: (failure, message) => errorBody({ ...failure, message }),
  headers: errorHeaders,
  canExpressParts,
  stream: (parts, id, failed) =>
    brokenStream(
      { id, model: "kit", parts, stop_reason: "error" },
      failed ? failureEvents(id, failed.failure, failed.message) : [],
    ),
  cut: {
    body: '{"id":"resp_cut","obj',
    event: 'event: response.completed\ndata: {"type":"response.completed","resp\n\n',
  },
};

export function canExpress(scripted: ScriptedResponse | ScriptedFault, transport: Transport): true | string {
  if ("kind" in scripted) return canFail(faultFormat, scripted, transport);
  const problems = [
    canStop(api, scripted, stopReasons),
    canCall(scripted),
    canRefuseAndCount(api, scripted),
    canExpressParts(scripted.parts),
  ];
  return problems.find((problem) => problem !== true) ?? true;
}

/** Whether the response stops for its calls if it has any: the format has no other way to ask for their results. */
function canCall({ parts, stop_reason }: ScriptedResponse): true | string {
  const calls = parts.some((part) => "tool_call" in part);
  if (calls && (stop_reason === "end_turn" || stop_reason === "refusal"))
    return `a response of ${api} that is complete and has calls asks for their results`;
  return stop_reason === "tool_use" && !calls ? `a response of ${api} asks for a tool by a call only` : true;
}

function canExpressParts(parts: readonly ScriptedPart[]): true | string {
  for (const part of parts) {
    if ("tool_call" in part && !hasText(part.tool_call.id)) return "OpenAI Responses gives every call an id";
    if (!("provider_item" in part)) continue;
    const { type } = part.provider_item;
    if (typeof type !== "string" || genericTypes.has(type)) return `a provider_item of type ${String(type)} is not one`;
  }
  return true;
}

export function renderResponse(response: ScriptedResponse, transport: Transport, request?: unknown): WireResponse {
  const headers = { "x-request-id": `req_${response.id}` };
  const over = transportNamed(transports, transport);
  if (isStreamed(transport)) return answerOver(over, streamOf(response, request), headers);
  const body = finishedResponse(response, request);
  return answerOver(over, [{ text: JSON.stringify(body) }], headers);
}

export function renderFault(fault: ScriptedFault, transport: Transport): WireResponse {
  return renderFaultAs(faultFormat, fault, transport);
}

/**
 * How a response fails that has begun. The API was seen to do it in three ways: with the documented error event, with one that has
 * the error inside and the failed response after it, and with the failed response alone. Each kind of failure has one of them here.
 */
function failureEvents(id: string, { type, inStream }: ResponsesFailure, message: string) {
  const code = inStream ?? null;
  const failed = {
    type: "response.failed",
    response: responseObject({ id, model: "kit" }, undefined, { status: "failed", error: { code, message } }),
  };
  if (code === "server_is_overloaded") return [{ type: "error", code, message, param: null }];
  if (code === "rate_limit_exceeded") return [{ type: "error", error: { type, code, message, param: null } }, failed];
  return [failed];
}
