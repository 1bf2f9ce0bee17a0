// Writes scripted answers and failures as the Anthropic Messages API sends them, whole or as a stream.

import type { ErrorKind } from "../../../../schemas/types.ts";
import type { ScriptedFault, ScriptedPart, ScriptedResponse, Transport, WireResponse, Write } from "../codec.ts";
import { canFail, canStop, renderFault as renderFaultAs, type FaultFormat, type Failure } from "../shared/faults.ts";
import { argumentsOf } from "../shared/normal-form.ts";
import { hasText, isObject, listOf, parseObject, type JsonObject } from "../shared/json.ts";
import { completing, namedEvent, piecesOf } from "../shared/sse.ts";
import { answerOver, transportNamed } from "../shared/transports.ts";
import { isStreamed } from "../transport.ts";
import { transports } from "./transports.ts";

const stopReasonNames: Partial<Record<ScriptedResponse["stop_reason"], string>> = {
  end_turn: "end_turn",
  tool_use: "tool_use",
  max_tokens: "max_tokens",
  context_window_exceeded: "model_context_window_exceeded",
  stop_sequence: "stop_sequence",
  refusal: "refusal",
  pause: "pause_turn",
};

interface AnthropicFailure extends Failure {
  type: string;
}

const failures: Partial<Record<ErrorKind, AnthropicFailure>> = {
  invalid_request: { status: 400, type: "invalid_request_error", inStream: true },
  authentication: { status: 401, type: "authentication_error" },
  permission: { status: 403, type: "permission_error" },
  not_found: { status: 404, type: "not_found_error" },
  request_too_large: { status: 413, type: "request_too_large" },
  rate_limit: { status: 429, type: "rate_limit_error", inStream: true },
  quota: { status: 402, type: "billing_error", inStream: true },
  overloaded: { status: 529, type: "overloaded_error", inStream: true },
  server_error: { status: 500, type: "api_error", inStream: true },
  timeout: { status: 504, type: "timeout_error", inStream: true },
};

/** The types of content that generic messages have; a provider_item is of any other. */
export const genericTypes = new Set([
  "text",
  "thinking",
  "redacted_thinking",
  "tool_use",
  "tool_result",
  "image",
  "document",
]);
export const idPattern = /^[a-zA-Z0-9_-]+$/;
export const namePattern = /^[a-zA-Z0-9_-]{1,128}$/;

/** The body of an error, in a response and in an error event. Some errors have a code of their own. */
export function errorBody(
  type: string,
  message: string,
  error_code?: string,
): { type: "error"; error: JsonObject; request_id: string } {
  const details = error_code !== undefined && { details: { error_code } };
  return { type: "error", error: { type, message, ...details }, request_id: "req_kit" };
}

/** The content block that a part becomes. Without a signature in the script, it is derived from the response and the index. */
export function blockOf(part: ScriptedPart, response: Pick<ScriptedResponse, "id">, at: number): JsonObject {
  if ("text" in part) return { type: "text", text: part.text };
  if ("provider_item" in part) return part.provider_item;
  if ("tool_call" in part) {
    const { id, name } = part.tool_call;
    return {
      type: "tool_use",
      id,
      name,
      input: parseObject(argumentsOf(part.tool_call)) ?? {},
      caller: { type: "direct" },
    };
  }
  const seal = part.signature ?? Buffer.from(`kit signature ${response.id} ${at}`).toString("base64");
  if (part.redacted === true) return { type: "redacted_thinking", data: seal };
  return { type: "thinking", thinking: part.thinking, signature: seal };
}

const api = "Anthropic Messages";
const stopReasons = { generic: new Set(Object.keys(stopReasonNames)), raw: new Set(Object.values(stopReasonNames)) };

const faultFormat: FaultFormat<AnthropicFailure> = {
  api,
  transports,
  failures,
  errorBody: ({ type }, message) => errorBody(type, message),
  headers: (retryAfterMs) => ({
    "request-id": "req_kit",
    ...(retryAfterMs !== undefined && { "retry-after": String(Math.ceil(retryAfterMs / 1000)) }),
  }),
  canExpressParts,
  canWait: (retryAfterMs) => (retryAfterMs % 1000 === 0 ? true : `${api} counts retry-after in whole seconds`),
  stream: (parts, id, failed) => [
    ...beginning({ id, model: "kit", parts, usage: noUsage }),
    ...(failed ? [namedEvent(errorBody(failed.failure.type, failed.message))] : []),
  ],
  cut: {
    body: '{"id":"msg_cut","type":"mess',
    event: 'event: message_delta\ndata: {"type":"message_delta","del\n\n',
  },
};

export function canExpress(scripted: ScriptedResponse | ScriptedFault, transport: Transport): true | string {
  if ("kind" in scripted) return canFail(faultFormat, scripted, transport);
  const problems = [
    canStop(api, scripted, stopReasons),
    canCount(scripted),
    canExpressParts(scripted.parts, transport),
  ];
  return problems.find((problem) => problem !== true) ?? true;
}

function canCount({ usage }: ScriptedResponse): true | string {
  if (usage.input_tokens === null || usage.output_tokens === null)
    return `${api} always counts input and output tokens`;
  const cached = (usage.cache_read_tokens ?? 0) + (usage.cache_write_tokens ?? 0);
  return cached > usage.input_tokens ? "more cached input than input" : true;
}

function canExpressParts(parts: readonly ScriptedPart[], transport: Transport): true | string {
  for (const part of parts) {
    if ("provider_item" in part) {
      const { type } = part.provider_item;
      if (typeof type !== "string" || genericTypes.has(type))
        return `a provider_item of type ${String(type)} is not one`;
    }
    if (!("tool_call" in part)) continue;
    const { id = "", name } = part.tool_call;
    if (!idPattern.test(id))
      return `Anthropic Messages gives every call an id of letters, digits, _ and -, not ${JSON.stringify(id)}`;
    if (!namePattern.test(name)) return `Anthropic Messages has no tool name ${JSON.stringify(name)}`;
    const written = argumentsOf(part.tool_call);
    if (!isStreamed(transport) && hasText(written) && parseObject(written) === undefined) {
      return "a JSON response of Anthropic Messages cannot carry arguments that are not an object";
    }
  }
  return true;
}

export function renderResponse(response: ScriptedResponse, transport: Transport, request?: unknown): WireResponse {
  const headers = { "request-id": `req_${response.id}` };
  const over = transportNamed(transports, transport);
  if (isStreamed(transport)) {
    const ending = [
      namedEvent({
        type: "message_delta",
        delta: { ...endOf(response, request), stop_details: null },
        usage: usageOf(response.usage),
      }),
      namedEvent({ type: "message_stop" }),
    ];
    return answerOver(over, [...beginning(response), ...ending], headers);
  }
  const body = {
    ...envelope(response),
    content: response.parts.map((part, at) => blockOf(part, response, at)),
    ...endOf(response, request),
    usage: { ...usageOf(response.usage), service_tier: "standard" },
  };
  return answerOver(over, [{ text: JSON.stringify(body) }], headers);
}

export function renderFault(fault: ScriptedFault, transport: Transport): WireResponse {
  return renderFaultAs(faultFormat, fault, transport);
}

const noUsage = {
  input_tokens: 1,
  output_tokens: 1,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  reasoning_tokens: null,
};

function envelope(response: Pick<ScriptedResponse, "id" | "model">): JsonObject {
  return { id: `msg_${response.id}`, type: "message", role: "assistant", model: response.model };
}

/** A response that ends at a stop sequence ends at the first one of the request. */
function endOf({ stop_reason, raw_stop_reason }: ScriptedResponse, request: unknown): JsonObject {
  const word = stop_reason === "other" ? raw_stop_reason : stopReasonNames[stop_reason];
  const [matched = "STOP"] = listOf(isObject(request) ? request["stop_sequences"] : undefined);
  return { stop_reason: word, stop_sequence: stop_reason === "stop_sequence" ? matched : null };
}

/** The wire counts cached input apart. */
function usageOf(usage: ScriptedResponse["usage"]): JsonObject {
  const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens } = usage;
  return {
    input_tokens: (input_tokens ?? 0) - (cache_read_tokens ?? 0) - (cache_write_tokens ?? 0),
    cache_creation_input_tokens: cache_write_tokens,
    cache_read_input_tokens: cache_read_tokens,
    output_tokens,
    ...(reasoning_tokens !== null && { output_tokens_details: { thinking_tokens: reasoning_tokens } }),
  };
}

/** The stream up to the end of its last content block. */
function beginning(response: Pick<ScriptedResponse, "id" | "model" | "parts" | "usage">): Write[] {
  const usage = { ...usageOf({ ...response.usage, reasoning_tokens: null }), output_tokens: 1 };
  const message = { ...envelope(response), content: [], stop_reason: null, stop_sequence: null, usage };
  const start = namedEvent({ type: "message_start", message });
  const blocks = response.parts.map((part, at) => completing(blockEvents(part, response, at), at + 1));
  return [start, namedEvent({ type: "ping" }), ...blocks.flat()];
}

function blockEvents(part: ScriptedPart, response: Pick<ScriptedResponse, "id">, index: number): Write[] {
  const event = (type: string, more: JsonObject) => namedEvent({ type, index, ...more });
  const block = blockOf(part, response, index);
  const { start, deltas } = opened(part, block);
  return [
    event("content_block_start", { content_block: start }),
    ...deltas.map((delta) => event("content_block_delta", { delta })),
    event("content_block_stop", {}),
  ];
}

/** How a block begins, and what its deltas add. A call without arguments has one empty delta, as the real API sends it. */
function opened(part: ScriptedPart, block: JsonObject): { start: JsonObject; deltas: JsonObject[] } {
  if (block["type"] === "text") {
    return {
      start: { ...block, text: "" },
      deltas: piecesOf(String(block["text"])).map((text) => ({ type: "text_delta", text })),
    };
  }
  if (block["type"] === "thinking") {
    const thoughts = piecesOf(String(block["thinking"])).map((thinking) => ({ type: "thinking_delta", thinking }));
    const deltas = [...thoughts, { type: "signature_delta", signature: block["signature"] }];
    return { start: { ...block, thinking: "", signature: "" }, deltas };
  }
  if (!isObject(block["input"])) return { start: block, deltas: [] };
  const written = "tool_call" in part ? argumentsOf(part.tool_call) : JSON.stringify(block["input"]);
  const pieces = written === "{}" ? [""] : ["", ...piecesOf(written)];
  return {
    start: { ...block, input: {} },
    deltas: pieces.map((partial_json) => ({ type: "input_json_delta", partial_json })),
  };
}
