// Maps an answer of Anthropic's Messages API to generic messages.

import { isRecord, losesDigits, parseArguments, parseExactly } from "../shared/arguments.ts";
import { PROVIDER } from "./parts.ts";
import { failedResponse, providerError, unreadable } from "../shared/http-error.ts";
import type { Message, ModelResponse, StopReason, ToolCallMessage, Usage } from "../../../schemas/types.ts";

/** A JSON object of the API. */
export type Fields = Record<string, unknown>;

/** A content block, with its arguments as text where they are known as text. */
export interface ReceivedBlock {
  fields: Fields;
  json?: string;
}

/** @see ANTHROPIC-18 */
const stopReasons: Record<string, StopReason> = {
  end_turn: "end_turn",
  tool_use: "tool_use",
  max_tokens: "max_tokens",
  stop_sequence: "stop_sequence",
  pause_turn: "pause",
  refusal: "refusal",
  model_context_window_exceeded: "context_window_exceeded",
};

/**
 * Reads a whole answer, as JSON text or as the value that it stands for. With `isOnThread`, its last message has the id under
 * which the server keeps the conversation.
 * @see PROVIDER-14
 */
export function parseResponse(body: unknown, model: string, isOnThread = false): ModelResponse {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return failedResponse(unreadable(PROVIDER, "a JSON message", text));
  }
  if (isRecord(message) && Array.isArray(message.content) && message.content.every(isBlock)) {
    const exact = losesDigits(text) ? (parseExactly(text) as { content: Fields[] }).content : [];
    const blocks = message.content.map((fields, at): ReceivedBlock => {
      const input = exact[at]?.input;
      return input === undefined ? { fields } : { fields, json: JSON.stringify(input) };
    });
    return toResponse(message, blocks, model, isOnThread);
  }
  const error = isRecord(message) && "error" in message ? providerError(PROVIDER, { body: message }) : undefined;
  return failedResponse(error ?? unreadable(PROVIDER, "a message with content", text));
}

/** The response that a message with these blocks stands for. @see ANTHROPIC-18 ANTHROPIC-19 ANTHROPIC-22 */
export function toResponse(
  message: Fields,
  blocks: ReceivedBlock[],
  model: string,
  isOnThread: boolean,
): ModelResponse {
  const messages = blocks.flatMap((block) => toMessage(block, model) ?? []);
  const last = messages.at(-1) as { opaque?: Fields } | undefined;
  const extra = {
    ...(isRecord(message.container) && { container: message.container }),
    ...(typeof message.stop_sequence === "string" && { stop_sequence: message.stop_sequence }),
    ...(isOnThread && isKept(message) && { thread: { id: message.id } }),
  };
  if (last && Object.keys(extra).length > 0) last.opaque = { provider: PROVIDER, model, ...last.opaque, ...extra };
  const word = typeof message.stop_reason === "string" && message.stop_reason !== "" ? message.stop_reason : null;
  const hasCalls = messages.some(({ type }) => type === "tool_call");
  return {
    messages,
    stop_reason: word === null ? (hasCalls ? "tool_use" : "end_turn") : stopReasonOf(word), // [ANTHROPIC-30]
    raw_stop_reason: word,
    usage: readUsage(message.usage),
    model: typeof message.model === "string" ? message.model : model,
    provider: PROVIDER,
  };
}

/** The server keeps no answer of a model that stood in for the one that was asked, and perhaps none that was refused. */
function isKept({ id, stop_reason, usage }: Fields): boolean {
  const parts = isRecord(usage) && Array.isArray(usage.iterations) ? (usage.iterations as unknown[]) : [];
  const isForeign = parts.some((part) => isRecord(part) && part.type === "fallback_message");
  return typeof id === "string" && typeof stop_reason === "string" && stop_reason !== "refusal" && !isForeign;
}

/** A word that is no word of the table is another reason, whatever else it names. */
function stopReasonOf(word: string): StopReason {
  return Object.hasOwn(stopReasons, word) ? stopReasons[word]! : "other";
}

/** True for a content block: an object that says what it is. Anything else could not be sent back. */
export function isBlock(value: unknown): value is Fields {
  return isRecord(value) && typeof value.type === "string";
}

/** The message that a block stands for; nothing if it is empty. @see ANTHROPIC-14 */
export function toMessage({ fields, json }: ReceivedBlock, model: string): Message | undefined {
  const { type, text, thinking, signature, data, id, name, input, ...rest } = fields;
  switch (type) {
    case "text":
      return text === "" || typeof text !== "string"
        ? undefined
        : { role: "assistant", content: text, ...keep(rest, model) };
    case "thinking": {
      const content = typeof thinking === "string" ? thinking : "";
      const signed = typeof signature === "string" && signature !== "" ? { signature } : {};
      if (content === "" && !("signature" in signed)) return undefined;
      return { type: "thinking", content, opaque: { provider: PROVIDER, model, ...present(rest), ...signed } };
    }
    case "redacted_thinking":
      return { type: "thinking", content: "", opaque: { provider: PROVIDER, model, redacted: data } };
    case "tool_use":
      return { type: "tool_call", id: asText(id), name: asText(name), ...readInput(input, json), ...keep(rest, model) };
    default:
      return {
        type: "provider_item",
        provider: PROVIDER,
        model,
        item: json ? { ...fields, input: readItemInput(json) } : fields,
      };
  }
}

/** Arguments as an object, or as streamed text. Both give the same for the same arguments. */
function readInput(input: unknown, json: string | undefined): Pick<ToolCallMessage, "input" | "raw_input"> {
  if (json === undefined && isRecord(input)) return { input };
  const text = json !== undefined && json.trim() !== "" ? json : JSON.stringify(input ?? {});
  const read = parseArguments(text);
  if (read.input === null || read.raw_input === undefined) return read;
  return { input: read.input, raw_input: JSON.stringify(parseExactly(text)) };
}

function readItemInput(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

function keep(rest: Fields, model: string): { opaque?: { provider: string; model: string } } {
  const fields = present(rest);
  return Object.keys(fields).length > 0 ? { opaque: { provider: PROVIDER, model, ...fields } } : {};
}

/** The fields that say something: not null, not empty, and not the default caller, which is the model itself. */
function present(fields: Fields): Fields {
  const says = ([key, value]: [string, unknown]) =>
    value !== null &&
    value !== undefined &&
    !(Array.isArray(value) && value.length === 0) &&
    !(key === "caller" && isRecord(value) && value.type === "direct");
  return Object.fromEntries(Object.entries(fields).filter(says));
}

/** @see ANTHROPIC-19 PROVIDER-18 */
function readUsage(usage: unknown): Usage {
  const read = (key: string, from: unknown = usage) => {
    const value = isRecord(from) ? from[key] : undefined;
    return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;
  };
  const fresh = read("input_tokens");
  const cacheRead = read("cache_read_input_tokens");
  const cacheWrite = read("cache_creation_input_tokens");
  return {
    input_tokens: fresh === null ? null : fresh + (cacheRead ?? 0) + (cacheWrite ?? 0),
    output_tokens: read("output_tokens"),
    cache_read_tokens: cacheRead,
    cache_write_tokens: cacheWrite,
    reasoning_tokens: read("thinking_tokens", isRecord(usage) ? usage.output_tokens_details : undefined),
  };
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
