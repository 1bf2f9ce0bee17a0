// What an answer of OpenAI's Responses API consists of: its items, and the response object around them.

import type { ScriptedPart, ScriptedResponse } from "../codec.ts";
import { isObject, listOf, type JsonObject } from "../shared/json.ts";
import { argumentsOf } from "../shared/normal-form.ts";

/** What the items of a response are made from. */
export type ResponseContent = Pick<ScriptedResponse, "id" | "model" | "parts" | "stop_reason">;

/** Why a response is incomplete, where it is. */
export const incompleteReasons: Partial<Record<ScriptedResponse["stop_reason"], string>> = {
  max_tokens: "max_output_tokens",
  content_filter: "content_filter",
};

/** The types of items that generic messages have; a provider_item is of any other. */
export const genericTypes = new Set([
  "message",
  "reasoning",
  "function_call",
  "function_call_output",
  "custom_tool_call",
  "custom_tool_call_output",
  "item_reference",
]);

/** The types of content parts that are text of the model. */
export const outputParts = ["output_text", "refusal"];

/** Reasoning is encrypted into the answer only where the request asks for it. */
export function asksForEncryption(request: unknown): boolean {
  return !isObject(request) || listOf(request["include"]).includes("reasoning.encrypted_content");
}

/** The encrypted content of reasoning; without one in the script, it is derived from the response and the index. */
export function sealOf(
  part: Extract<ScriptedPart, { thinking: string }>,
  { id }: Pick<ScriptedResponse, "id">,
  at: number,
): string {
  return part.signature ?? Buffer.from(`kit reasoning ${id} ${at}`).toString("base64");
}

/** The items that the parts become, complete. */
export function itemsOf(response: ResponseContent, request?: unknown): JsonObject[] {
  return response.parts.map((part, at) => itemOf(part, response, at, asksForEncryption(request)));
}

function itemOf(part: ScriptedPart, response: ResponseContent, at: number, encrypted: boolean): JsonObject {
  if ("provider_item" in part) return part.provider_item;
  const name = `${response.id}_${at}`;
  if ("thinking" in part) {
    const summary = part.thinking === "" || part.redacted === true ? [] : [summaryPart(part.thinking)];
    const seal = encrypted && { encrypted_content: sealOf(part, response, at) };
    return { id: `rs_${name}`, type: "reasoning", ...seal, summary };
  }
  const isCutOff = at === response.parts.length - 1 && incompleteDetailsOf(response) !== null;
  const status = isCutOff ? "incomplete" : "completed";
  if ("tool_call" in part) {
    const { id, name: called } = part.tool_call;
    const written = argumentsOf(part.tool_call);
    return { id: `fc_${name}`, type: "function_call", status, arguments: written, call_id: id, name: called };
  }
  const content = [contentPart(part.text, response.stop_reason === "refusal")];
  const phase = response.parts.some((other) => "tool_call" in other) ? "commentary" : "final_answer";
  return { id: `msg_${name}`, type: "message", status, content, phase, role: "assistant" };
}

/** The content of a message. */
export function contentPart(text: string, isRefusal: boolean): JsonObject {
  return isRefusal ? { type: "refusal", refusal: text } : { type: "output_text", annotations: [], logprobs: [], text };
}

export function summaryPart(text: string): JsonObject {
  return { type: "summary_text", text };
}

export function incompleteDetailsOf(response: Pick<ScriptedResponse, "stop_reason" | "raw_stop_reason">) {
  const { stop_reason, raw_stop_reason } = response;
  const reason = stop_reason === "other" ? raw_stop_reason : incompleteReasons[stop_reason];
  return reason === undefined ? null : { reason };
}

/** The response object; the fields that repeat the request are taken from it. */
export function responseObject(
  { id, model }: Pick<ResponseContent, "id" | "model">,
  request: unknown,
  more: JsonObject,
): JsonObject {
  const params = isObject(request) ? request : {};
  return {
    id: `resp_${id}`,
    object: "response",
    created_at: 1_700_000_000,
    status: "in_progress",
    background: false,
    error: null,
    incomplete_details: null,
    instructions: params["instructions"] ?? null,
    max_output_tokens: params["max_output_tokens"] ?? null,
    metadata: {},
    model,
    output: [],
    parallel_tool_calls: true,
    previous_response_id: params["previous_response_id"] ?? null,
    reasoning: { effort: null, summary: null },
    service_tier: "default",
    store: params["store"] ?? true,
    temperature: 1,
    text: { format: { type: "text" } },
    tool_choice: params["tool_choice"] ?? "auto",
    tools: listOf(params["tools"]),
    top_p: 1,
    truncation: "disabled",
    usage: null,
    user: null,
    ...more,
  };
}

/** The response object as it is in the end. */
export function finishedResponse(response: ScriptedResponse, request: unknown): JsonObject {
  const incomplete_details = incompleteDetailsOf(response);
  return responseObject(response, request, {
    status: incomplete_details === null ? "completed" : "incomplete",
    incomplete_details,
    output: itemsOf(response, request),
    usage: usageOf(response.usage),
  });
}

/** Nothing if nothing was counted; a detail that was not counted is left out. */
function usageOf(usage: ScriptedResponse["usage"]): JsonObject | null {
  const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens } = usage;
  if (input_tokens === null || output_tokens === null) return null;
  return {
    input_tokens,
    input_tokens_details: {
      ...(cache_read_tokens !== null && { cached_tokens: cache_read_tokens }),
      ...(cache_write_tokens !== null && { cache_write_tokens }),
    },
    output_tokens,
    output_tokens_details: { ...(reasoning_tokens !== null && { reasoning_tokens }) },
    total_tokens: input_tokens + output_tokens,
  };
}
