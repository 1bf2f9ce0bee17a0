// What the official SDKs make of the same bytes, in a form that can be compared with what the adapters make of them.

import { Anthropic, AnthropicError } from "@anthropic-ai/sdk";
import { OpenAI, OpenAIError } from "openai";
import { readGeminiMessage, readGeminiWithSdk } from "./gemini-reading.ts";
import { isRecord } from "../../../reference/providers/shared/arguments.ts";
import type { Message, ModelResponse } from "../../../schemas/types.ts";
import type { Fields, Recording } from "./recording.ts";

/** What an answer says, independent of who read it. */
export interface Reading {
  content: unknown[];
  stop: unknown;
  usage: unknown;
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const common = { apiKey: "none", maxRetries: 0, logger: silent };

type ProviderName = Recording["provider"];

/**
 * What the SDK makes of an answer, asked for as a stream or whole; why it refuses, if it does.
 * @param answer gives the answer to what the SDK would send
 */
export async function readWithSdk(
  provider: ProviderName,
  streamed: boolean,
  answer: (init: RequestInit | undefined) => Response | Promise<Response>,
): Promise<Reading | { refuses: string }> {
  const fetch = async (_url: unknown, init?: RequestInit) => answer(init);
  try {
    if (provider === "gemini") return await readGeminiWithSdk(streamed, fetch);
    if (provider === "anthropic-messages") {
      const client = new Anthropic({ ...common, fetch });
      const params = { model: "recorded", max_tokens: 1, messages: [] };
      // The beta client knows every block that the other one knows, and more.
      const { messages } = client.beta;
      const message = streamed ? await messages.stream(params).finalMessage() : await messages.create(params);
      return readAnthropic(message as unknown as Fields);
    }
    const client = new OpenAI({ ...common, fetch });
    if (provider === "openai-responses") {
      const request = { model: "recorded", input: [] };
      const answer = streamed
        ? await client.responses.stream(request).finalResponse()
        : await client.responses.create(request);
      return readResponseBody(answer as unknown as Fields);
    }
    const params = { model: "recorded", messages: [] };
    const completion = streamed
      ? await client.chat.completions.stream(params).finalChatCompletion()
      : await client.chat.completions.create(params);
    return readOpenai(completion as unknown as Fields);
  } catch (thrown) {
    if (
      !(
        thrown instanceof AnthropicError ||
        thrown instanceof OpenAIError ||
        provider === "gemini" ||
        thrown instanceof SyntaxError
      )
    )
      throw thrown;
    return { refuses: (thrown as Error).message.slice(0, 120) };
  }
}

function readAnthropic(message: Fields): Reading | { refuses: string } {
  if (!Array.isArray(message.content)) return { refuses: "it has no content" };
  const usage = (message.usage ?? {}) as Record<string, number | null | undefined>;
  return {
    content: (message.content as Fields[]).flatMap(readBlock),
    stop: message.stop_reason ?? null,
    usage: {
      input:
        (usage.input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0),
      output: usage.output_tokens ?? null,
    },
  };
}

/** A block without what says nothing; none if it is empty. */
function readBlock(block: Fields): Fields[] {
  if (block.type === "text" && block.text === "") return [];
  if (block.type === "thinking" && block.thinking === "" && !block.signature) return [];
  return [Object.fromEntries(Object.entries(block).filter(([key, value]) => speaks(block, key, value)))];
}

function speaks(block: Fields, key: string, value: unknown): boolean {
  if (!["text", "thinking", "tool_use"].includes(String(block.type))) return true;
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return false;
  return !(key === "caller" && isRecord(value) && value.type === "direct") && !(key === "signature" && value === "");
}

function readOpenai(completion: Fields): Reading | { refuses: string } {
  const choice = Array.isArray(completion.choices) ? (completion.choices[0] as Fields | undefined) : undefined;
  if (!isRecord(choice?.message)) return { refuses: "it has no choice" };
  const { content, refusal, tool_calls, function_call } = choice.message;
  const legacy = isRecord(function_call) && function_call.name ? [{ function: function_call }] : [];
  const calls = [...((tool_calls as Fields[] | null) ?? []), ...legacy];
  const text = (typeof content === "string" ? content : textOf(content)) + String(refusal ?? "");
  const usage = (completion.usage ?? {}) as Fields;
  return {
    content: [...(text === "" ? [] : [{ text }]), ...calls.map((call) => readCall(call as Fields))],
    stop: choice.finish_reason || null,
    usage: { input: usage.prompt_tokens ?? null, output: usage.completion_tokens ?? null },
  };
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return "";
  return (content as Fields[])
    .filter((part) => part.type === "text")
    .map((part) => String(part.text))
    .join("");
}

function readCall({ id, function: called, custom }: Fields): Fields {
  // One server sends every call in both forms, one of them with an empty name.
  const isCustom = isRecord(custom) && custom.name !== "";
  const { name, arguments: written, input } = (isCustom ? custom : called) as Fields;
  if (isCustom) return { call: name, id: id || "", input: { input } };
  return { call: name, id: id || "", input: parsed(written) };
}

function parsed(written: unknown): unknown {
  const text = typeof written === "string" ? written : JSON.stringify(written ?? "");
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : { unreadable: text };
  } catch {
    return { unreadable: text };
  }
}

function readResponseBody(body: Fields): Reading | { refuses: string } {
  if (!Array.isArray(body.output)) return { refuses: "it has no output" };
  if (body.status === "failed") return { refuses: "it failed" };
  const usage = (body.usage ?? {}) as Fields;
  const reason = (body.incomplete_details as Fields | null | undefined)?.reason;
  return {
    content: (body.output as Fields[]).flatMap(readOutputItem),
    stop: (body.status === "incomplete" ? reason : body.status) ?? null,
    usage: { input: usage.input_tokens ?? null, output: usage.output_tokens ?? null },
  };
}

/** What an item says. What is encrypted is encrypted anew each time that it is sent. */
function readOutputItem(item: Fields): Fields[] {
  if (item.type === "message" && item.role === "assistant") {
    const parts = (item.content as Fields[]).map(({ text, refusal }) => String(text ?? refusal ?? ""));
    return parts.flatMap((text) => (text === "" ? [] : [{ text, id: item.id ?? null }]));
  }
  if (item.type === "function_call") return [{ call: item.name, id: item.call_id, input: parsed(item.arguments) }];
  if (item.type === "custom_tool_call") return [{ call: item.name, id: item.call_id, input: { input: item.input } }];
  if (item.type !== "reasoning") return [{ item: withoutSecrets(item) }];
  const texts = (list: unknown) => ((list as Fields[] | null | undefined) ?? []).map((part) => part.text).join("\n\n");
  return [
    {
      thought: texts(item.content) || texts(item.summary),
      id: item.id ?? null,
      encrypted: "encrypted_content" in item && item.encrypted_content !== null,
    },
  ];
}

function withoutSecrets({
  encrypted_content: _content,
  fingerprint: _fingerprint,
  parsed_arguments: _parsed,
  ...item
}: Fields): Fields {
  return item;
}

function readResponsesMessage(message: Message): Fields[] {
  const { id = null, encrypted_content } = ("opaque" in message && message.opaque) || { provider: "" };
  if (message.role === "assistant") return [{ text: message.content, id }];
  if (message.type === "thinking")
    return [{ thought: message.content, id, encrypted: encrypted_content !== undefined }];
  if (message.type === "provider_item") return [{ item: withoutSecrets(message.item) }];
  return readOpenaiMessage(message);
}

const messageReaders: Partial<Record<ProviderName, (message: Message) => Fields[]>> = {
  "anthropic-messages": readAnthropicMessage,
  "openai-chat": readOpenaiMessage,
  "openai-responses": readResponsesMessage,
  gemini: readGeminiMessage,
};

/** What the adapter made of an answer, in the same form. */
export function readResponse(provider: ProviderName, response: ModelResponse): Reading {
  const anthropic = provider === "anthropic-messages";
  const { usage } = response;
  return {
    content: response.messages.flatMap((message) => messageReaders[provider]?.(message) ?? []),
    stop: response.raw_stop_reason ?? null,
    usage: {
      input: anthropic ? (usage?.input_tokens ?? 0) : (usage?.input_tokens ?? null),
      output: usage?.output_tokens ?? null,
    },
  };
}

function readAnthropicMessage(message: Message): Fields[] {
  const {
    provider: _p,
    model: _m,
    container: _c,
    stop_sequence: _s,
    redacted,
    ...kept
  } = ("opaque" in message && message.opaque) || { provider: "" };
  if (message.role === "assistant") return [{ type: "text", text: message.content, ...kept }];
  if (message.type === "thinking") {
    if (redacted !== undefined) return [{ type: "redacted_thinking", data: redacted }];
    return [{ type: "thinking", thinking: message.content, ...kept }];
  }
  if (message.type === "tool_call")
    return [{ type: "tool_use", id: message.id, name: message.name, input: message.input, ...kept }];
  return message.type === "provider_item" ? [message.item] : [];
}

function readOpenaiMessage(message: Message): Fields[] {
  if (message.role === "assistant") return [{ text: message.content }];
  if (message.type !== "tool_call") return [];
  const input = message.input ?? { unreadable: message.raw_input };
  return [{ call: message.name, id: message.id, input }];
}
