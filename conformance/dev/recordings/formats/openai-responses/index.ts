// What OpenAI's SDK makes of an answer of the Responses API, and what the adapter does, in one form.

import { OpenAI, OpenAIError } from "openai";
import type { Message } from "../../../../../schemas/types.ts";
import { common, type Reading, type RecordedFormat } from "../../recorded-format.ts";
import type { Fields } from "../../recording.ts";
import { parsed, readMessage } from "../openai/calls.ts";
import { wire } from "./wire.ts";

export const format: RecordedFormat = {
  wire,
  async readWithSdk(streamed, fetch) {
    const { responses } = new OpenAI({ ...common, fetch });
    const request = { model: "recorded", input: [] };
    const answer = streamed ? await responses.stream(request).finalResponse() : await responses.create(request);
    return readResponseBody(answer as unknown as Fields);
  },
  isRefusal: (thrown) => thrown instanceof OpenAIError,
  readMessage: readResponsesMessage,
  uncounted: null,
};

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
  return readMessage(message);
}
