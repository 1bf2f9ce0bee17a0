// What OpenAI's SDK makes of an answer of Chat Completions, and what the adapter does, in one form.

import { OpenAI, OpenAIError } from "openai";
import { isRecord } from "../../../../../reference/providers/shared/arguments.ts";
import { common, type Reading, type RecordedFormat } from "../../recorded-format.ts";
import type { Fields } from "../../recording.ts";
import { parsed, readMessage } from "../openai/calls.ts";
import { wire } from "./wire.ts";

export const format: RecordedFormat = {
  wire,
  async readWithSdk(streamed, fetch) {
    const { completions } = new OpenAI({ ...common, fetch }).chat;
    const params = { model: "recorded", messages: [] };
    const completion = streamed
      ? await completions.stream(params).finalChatCompletion()
      : await completions.create(params);
    return readOpenai(completion as unknown as Fields);
  },
  isRefusal: (thrown) => thrown instanceof OpenAIError,
  readMessage,
  uncounted: null,
};

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
