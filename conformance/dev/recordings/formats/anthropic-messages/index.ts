// What Anthropic's SDK makes of an answer of the Messages API, and what the adapter does, in one form.

import { Anthropic, AnthropicError } from "@anthropic-ai/sdk";
import { isRecord } from "../../../../../reference/providers/shared/arguments.ts";
import type { Message } from "../../../../../schemas/types.ts";
import { common, type Reading, type RecordedFormat } from "../../recorded-format.ts";
import type { Fields } from "../../recording.ts";
import { wire } from "./wire.ts";

export const format: RecordedFormat = {
  wire,
  async readWithSdk(streamed, fetch) {
    const client = new Anthropic({ ...common, fetch });
    const params = { model: "recorded", max_tokens: 1, messages: [] };
    // The beta client knows every block that the other one knows, and more.
    const { messages } = client.beta;
    const message = streamed ? await messages.stream(params).finalMessage() : await messages.create(params);
    return readAnthropic(message as unknown as Fields);
  },
  isRefusal: (thrown) => thrown instanceof AnthropicError,
  readMessage: readAnthropicMessage,
  uncounted: 0,
};

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
