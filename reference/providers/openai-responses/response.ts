// Maps an answer of the Responses API to generic messages.

import { isRecord, parseArguments } from "../shared/arguments.ts";
import { failedResponse, interruption, providerError, unreadable } from "../shared/http-error.ts";
import { PROVIDER } from "./parts.ts";
import type { Fields } from "./parts.ts";
import type { Message, ModelResponse, StopReason, Usage } from "../../../schemas/types.ts";

/** Whose answer is read. `response_id` is there if the provider stored it. */
export interface Maker {
  model: string;
  response_id?: string;
  /** Whether the request declared a tool under this name. Absent: the request is not known. */
  declares?: Declares | undefined;
}

/** Whether a request declared a tool under a name. */
export type Declares = (name: string) => boolean;

/** The reasons for which a response is incomplete. @see RESPONSES-21 */
const stopReasons: Record<string, StopReason> = {
  max_output_tokens: "max_tokens",
  content_filter: "content_filter",
};

/** Reads a whole answer, as JSON text or as the value that it stands for. @see PROVIDER-14 */
export function parseResponse(body: unknown, model: string, declares?: Declares): ModelResponse {
  let value = body;
  if (typeof body === "string") {
    try {
      value = JSON.parse(body);
    } catch {
      return failedResponse(unreadable(PROVIDER, "a JSON response", body));
    }
  }
  if (isRecord(value) && Array.isArray(value.output) && value.output.every(isRecord)) {
    const maker = { ...makerOf(value, model), declares };
    return toResponse(
      value,
      value.output.flatMap((item) => toMessages(item, maker)),
      model,
    );
  }
  const failure = isRecord(value) && value.error ? providerError(PROVIDER, { body: value }) : undefined;
  return failedResponse(failure ?? unreadable(PROVIDER, "a response with output", JSON.stringify(value)));
}

/** Whose answer this is, as far as it says. */
export function makerOf({ id, store }: Fields, model: string): Maker {
  return isFilled(id) && store !== false ? { model, response_id: id } : { model };
}

/** The response that a body with these messages stands for. @see RESPONSES-20 RESPONSES-21 */
export function toResponse(body: Fields, messages: Message[], model: string): ModelResponse {
  const word = isFilled(body.status) ? body.status : null;
  const reason = isRecord(body.incomplete_details) ? body.incomplete_details.reason : undefined;
  const raw = word === "incomplete" && isFilled(reason) ? reason : word;
  const response: ModelResponse = {
    messages,
    stop_reason: raw === null || raw === "completed" ? stopOf(messages) : stopReasonOf(raw),
    raw_stop_reason: raw,
    usage: readUsage(body.usage),
    model: isFilled(body.model) ? body.model : model,
    provider: PROVIDER,
  };
  if (word === "failed") return failedResponse(failureOf(body), response);
  if (word !== "queued" && word !== "in_progress" && word !== "cancelled") return response;
  return failedResponse(interruption(PROVIDER, `its status is ${word}`), response);
}

function stopReasonOf(word: string): StopReason {
  return Object.hasOwn(stopReasons, word) ? stopReasons[word]! : "other";
}

function stopOf(messages: Message[]): StopReason {
  if (messages.some((message) => message.role === "assistant" && message.opaque?.type === "refusal")) return "refusal";
  return messages.some((message) => message.type === "tool_call") ? "tool_use" : "end_turn";
}

/** What a body or an event says about a failure. The type of an event says nothing. @see RESPONSES-23 */
export function failureOf({ type: _type, error, ...event }: Fields) {
  const body = isRecord(error) ? { error } : isFilled(event.message) || isFilled(event.code) ? event : undefined;
  return providerError(PROVIDER, { body: body ?? `${PROVIDER} says only that the response failed` });
}

/** The messages that an item stands for; none if it is empty. @see RESPONSES-15 RESPONSES-16 RESPONSES-40 */
export function toMessages(item: Fields, maker: Maker): Message[] {
  switch (item.type) {
    case "message":
      if (!isOfModel(item)) return [toItem(item, maker)];
      return recordsOf(item.content).flatMap((part) => toText(item, part, maker) ?? []);
    case "reasoning":
      return [toThinking(item, maker)];
    case "function_call":
      return [toCall(item, maker)];
    case "custom_tool_call": {
      const { call_id, name, input, ...rest } = item;
      if (maker.declares?.(asText(name)) === false) return [toItem(item, maker)];
      const call = { id: asText(call_id), name: asText(name), input: { input: asText(input) } };
      return [{ type: "tool_call", ...call, ...opaque(rest, maker) }];
    }
    default:
      return [toItem(item, maker)];
  }
}

/** Whether the model says a `message` item itself. A role that the API does not know, or none, is the model's. */
export function isOfModel({ role }: Fields): boolean {
  return role !== "user" && role !== "system" && role !== "developer";
}

/** The message that one part of a `message` item stands for; nothing if it is empty. @see RESPONSES-15 */
export function toText(item: Fields, part: Fields, maker: Maker): Message | undefined {
  const { type: _type, role: _role, content: _content, ...fields } = item;
  const { type, text, refusal, ...rest } = part;
  const isRefusal = type === "refusal";
  if (!isRefusal && type !== "output_text") return toItem({ ...item, role: "assistant", content: [part] }, maker);
  const content = asText(isRefusal ? refusal : text);
  if (content === "") return undefined;
  return { role: "assistant", content, ...opaque({ ...fields, ...rest, ...(isRefusal && { type }) }, maker) };
}

function toThinking({ type: _type, ...fields }: Fields, maker: Maker): Message {
  return { type: "thinking", content: thought(fields), ...opaque(fields, maker) };
}

/** The readable text of a `reasoning` item: the reasoning itself, or else what sums it up. */
export function thought(item: Fields): string {
  return joined(item.content) || joined(item.summary);
}

function joined(parts: unknown): string {
  const texts = recordsOf(parts).map(({ text }) => text);
  return texts.filter(isFilled).join("\n\n");
}

function toCall({ type: _type, call_id, name, arguments: written, ...rest }: Fields, maker: Maker): Message {
  const text = isRecord(written) ? JSON.stringify(written) : asText(written);
  const called = { id: asText(call_id), name: asText(name), ...parseArguments(text) };
  return { type: "tool_call", ...called, ...opaque(rest, maker) };
}

function toItem(item: Fields, { model, response_id }: Maker): Message {
  const message: Message = { type: "provider_item", provider: PROVIDER, model, item };
  return response_id === undefined ? message : { ...message, opaque: { provider: PROVIDER, model, response_id } };
}

function opaque(rest: Fields, maker: Maker): { opaque?: { provider: string } & Maker & Fields } {
  const fields = { ...(maker.response_id !== undefined && { response_id: maker.response_id }), ...present(rest) };
  return Object.keys(fields).length > 0 ? { opaque: { provider: PROVIDER, model: maker.model, ...fields } } : {};
}

/** The fields that say something: not null, not empty, and not that all is as usual. */
export function present(fields: Fields): Fields {
  const says = ([key, value]: [string, unknown]) =>
    value !== null &&
    value !== undefined &&
    value !== "" &&
    !(Array.isArray(value) && value.length === 0) &&
    !(key === "status" && value === "completed");
  return Object.fromEntries(Object.entries(fields).filter(says));
}

/** @see RESPONSES-22 PROVIDER-18 */
function readUsage(usage: unknown): Usage {
  const read = (key: string, inside?: string) => {
    const from = isRecord(usage) && inside !== undefined ? usage[inside] : usage;
    const value = isRecord(from) ? from[key] : undefined;
    return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;
  };
  return {
    input_tokens: read("input_tokens"),
    output_tokens: read("output_tokens"),
    cache_read_tokens: read("cached_tokens", "input_tokens_details"),
    cache_write_tokens: read("cache_write_tokens", "input_tokens_details"),
    reasoning_tokens: read("reasoning_tokens", "output_tokens_details"),
  };
}

/** The objects of a list, such as the parts of a content; none where there is no list. */
export function recordsOf(list: unknown): Fields[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** True for a text that is there and not empty. */
export function isFilled(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
