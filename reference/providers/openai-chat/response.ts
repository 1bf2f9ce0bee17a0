// Maps an answer of the Chat Completions API to generic messages.

import { isRecord, parseArguments } from "../shared/arguments.ts";
import { failedResponse, providerError, unreadable } from "../shared/http-error.ts";
import { PROVIDER } from "./parts.ts";
import type { Fields } from "./parts.ts";
import type { Message, ModelResponse, StopReason, ThinkingMessage, Usage } from "../../../schemas/types.ts";

/** What is known of an answer, whole or put together from chunks. */
export interface Answer {
  message: Fields;
  /** The reasoning as it was streamed, piece by piece, in whatever fields it came. */
  thought?: string;
  /** The text as it was streamed, a refusal with it. The message has then only the rest of its content. */
  text?: string;
  /** What the server found, which it names beside its choices. */
  found?: Fields;
  finish_reason: unknown;
  usage: unknown;
  model: unknown;
}

/** The words of the API, then those of other servers. @see CHAT-19 CHAT-42 */
const stopReasons: Record<string, StopReason> = {
  stop: "end_turn",
  eos: "end_turn",
  tool_calls: "tool_use",
  function_call: "tool_use",
  length: "max_tokens",
  model_length: "max_tokens",
  content_filter: "content_filter",
  error: "error",
  tool_call: "tool_use",
  eos_token: "end_turn",
  end_turn: "end_turn",
  end: "end_turn",
  max_tokens: "max_tokens",
};

/** The fields in which servers send reasoning as text, the first that is there is read. */
export const reasoningFields = ["reasoning_content", "reasoning"] as const;

/** Reads a whole answer, as JSON text or as the value that it stands for. Only its first choice is read. @see PROVIDER-14 */
export function parseResponse(body: unknown, model: string): ModelResponse {
  let value = body;
  if (typeof body === "string") {
    try {
      value = JSON.parse(body);
    } catch {
      return failedResponse(unreadable(PROVIDER, "a JSON completion", body));
    }
  }
  const answer = fieldsOf(value);
  const choice = fieldsOf(Array.isArray(answer.choices) ? answer.choices[0] : undefined);
  const { finish_reason } = choice;
  // A filtered answer may have no message, but it says why.
  const message = choice.message ?? (isFilled(finish_reason) ? {} : undefined);
  if (!isRecord(message)) {
    const failure = answer.error ? providerError(PROVIDER, { body: answer }) : undefined;
    return failedResponse(failure ?? unreadable(PROVIDER, "a completion with a choice", JSON.stringify(value)));
  }
  const { usage, model: named } = answer;
  const response = toResponse({ message, found: foundIn(answer), finish_reason, usage, model: named }, model);
  const failure = choice.error ?? answer.error;
  return failure ? failedResponse(providerError(PROVIDER, { body: { error: failure } }), response) : response;
}

/** The response that an answer stands for. @see CHAT-16 CHAT-19 */
export function toResponse(answer: Answer, model: string): ModelResponse {
  const messages = toMessages(answer, model);
  const word = isFilled(answer.finish_reason) ? answer.finish_reason : null;
  const calls = messages.some((message) => message.type === "tool_call");
  const normal = word === null ? (calls ? "tool_use" : "end_turn") : stopReasonOf(word);
  const response: ModelResponse = {
    messages,
    stop_reason: isFilled(answer.message.refusal) ? "refusal" : normal,
    raw_stop_reason: word,
    usage: readUsage(answer.usage),
    model: isFilled(answer.model) ? answer.model : model,
    provider: PROVIDER,
  };
  if (response.stop_reason !== "error") return response;
  return failedResponse(
    providerError(PROVIDER, { body: `${PROVIDER} ended its answer with finish_reason error` }),
    response,
  );
}

/** A word that is no word of the table is another reason, whatever else it names. */
function stopReasonOf(word: string): StopReason {
  return Object.hasOwn(stopReasons, word) ? stopReasons[word]! : "other";
}

/** Some servers name what they found on the web beside the choices. @see CHAT-36 */
export function foundIn({ citations, search_results }: Fields): Fields {
  const found: Fields = {};
  if (says(citations)) found.citations = citations;
  if (says(search_results)) found.search_results = search_results;
  return found;
}

function toMessages({ message, thought, text: streamed, found }: Answer, model: string): Message[] {
  const own = { provider: PROVIDER, model };
  // Some servers number or pad their pieces, or say what a piece is part of. [CHAT-37]
  const { role: _role, padding: _padding, channel: _channel, token_id: _token, ...spoken } = message;
  const { content, refusal, tool_calls, function_call, ...others } = spoken;
  const text = streamed ?? textOf(content) + (isFilled(refusal) ? refusal : "");
  const { reasoning_details, reasoning_content, reasoning, ...fields } = others;
  const beside = { ...present(fields), ...found };
  const calls = recordsIn(tool_calls);
  if (isRecord(function_call) && says(function_call)) calls.push({ function: function_call });
  const messages: Message[] = [
    ...toThinking({ reasoning_details, reasoning_content, reasoning, content }, model, thought),
  ];
  if (messages.length === 0 && reasoning_content === "" && calls.length > 0) messages.push(unspoken(model));
  for (const item of itemsIn(content)) messages.push({ type: "provider_item", ...own, item });
  if (text !== "")
    messages.push({ role: "assistant", content: text, ...(hasFields(beside) && { opaque: { ...own, ...beside } }) });
  else if (hasFields(beside)) messages.push({ type: "provider_item", ...own, item: { type: "message", ...beside } });
  for (const call of calls) messages.push(toCall(call, model));
  return messages;
}

/** The text of a content, whole or in parts. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const texts = recordsIn(content).filter((part) => part.type === "text");
  return texts.map((part) => String(part.text ?? "")).join("");
}

/** What is thought in a content, in its parts of type `thinking`. */
export function thoughtIn(content: unknown): string {
  const thoughts = recordsIn(content).filter((part) => part.type === "thinking");
  return thoughts.map((part) => textOf(part.thinking)).join("");
}

/** What a content has beside text and thoughts. */
export function itemsIn(content: unknown): Fields[] {
  return recordsIn(content).filter((part) => part.type !== "text" && part.type !== "thinking");
}

/** @see CHAT-10 */
function toThinking(message: Fields, model: string, thought?: string): ThinkingMessage[] {
  const own = { provider: PROVIDER, model };
  const { reasoning_details: details } = message;
  const field = reasoningFields.find((name) => isFilled(message[name]));
  const plain = field ? String(message[field]) : "";
  if (Array.isArray(details) && details.length > 0) {
    const content = thought ?? (plain || details.map(readDetail).join(""));
    return [{ type: "thinking", content, opaque: { ...own, field: "reasoning_details", reasoning_details: details } }];
  }
  if (field) return [{ type: "thinking", content: thought ?? plain, opaque: { ...own, field } }];
  const content = thought ?? thoughtIn(message.content);
  return content === "" ? [] : [{ type: "thinking", content, opaque: { ...own, field: "content" } }];
}

/** The thinking of a model that thought nothing before it called, and refuses the call without the empty field. @see CHAT-43 */
function unspoken(model: string): ThinkingMessage {
  return { type: "thinking", content: "", opaque: { provider: PROVIDER, model, field: "reasoning_content" } };
}

/** The readable text of one of `reasoning_details`; encrypted ones have none. */
export function readDetail(detail: unknown): string {
  const { text, summary } = fieldsOf(detail);
  return isFilled(text) ? text : isFilled(summary) ? summary : "";
}

/** @see CHAT-14 */
function toCall(call: Fields, model: string): Message {
  const { id, type, index: _index, function: called, custom, ...rest } = call;
  const kept = present(rest);
  const own = { provider: PROVIDER, model };
  const { name, written, isCustom } = readTarget(custom, called);
  const base = { type: "tool_call", id: isFilled(id) ? id : "", name } as const;
  if (isCustom) return { ...base, input: { input: written }, opaque: { ...own, type: type ?? "custom", ...kept } };
  return { ...base, ...parseArguments(written), ...(hasFields(kept) && { opaque: { ...own, ...kept } }) };
}

/** What is called, and with what. A server that sends both forms leaves the one that it does not mean empty. */
export function readTarget(custom: unknown, called: unknown): { name: string; written: string; isCustom: boolean } {
  const isCustom = isRecord(custom) && says(custom);
  const target = isCustom ? custom : fieldsOf(called);
  const written = isCustom ? target.input : target.arguments;
  const text =
    typeof written === "string" ? written : says(written) || isRecord(written) ? JSON.stringify(written) : "";
  return { name: isFilled(target.name) ? target.name : "", written: text, isCustom };
}

/** @see CHAT-20 PROVIDER-18 */
function readUsage(usage: unknown): Usage {
  const read = (key: string, inside?: string) => {
    const from = isRecord(usage) && inside !== undefined ? usage[inside] : usage;
    const value = isRecord(from) ? from[key] : undefined;
    return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;
  };
  const input = read("prompt_tokens");
  const output = read("completion_tokens");
  const reasoning = read("reasoning_tokens", "completion_tokens_details");
  // Some servers count reasoning beside the completion, not in it; the total shows which.
  const together = (output ?? Number.NaN) + (reasoning ?? 0);
  const apart = read("total_tokens") === (input ?? Number.NaN) + together;
  return {
    input_tokens: input,
    output_tokens: apart ? together : output,
    cache_read_tokens:
      read("cached_tokens", "prompt_tokens_details") ?? read("cached_tokens") ?? read("prompt_cache_hit_tokens"),
    cache_write_tokens: read("cache_write_tokens", "prompt_tokens_details"),
    reasoning_tokens: reasoning,
  };
}

/** True for a text that is there and not empty. */
export function isFilled(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** The fields of an object; anything else has none. */
function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

/** The objects of a list; anything else has none. */
export function recordsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function hasFields(fields: Fields): boolean {
  return Object.keys(fields).length > 0;
}

/** The fields that say something. */
export function present(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => says(value)));
}

/** False for what some servers send in place of nothing. */
export function says(value: unknown): boolean {
  if (isRecord(value)) return Object.values(value).some(says);
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}
