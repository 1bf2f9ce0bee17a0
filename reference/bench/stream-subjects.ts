// What each provider streams, as the adapter, the SDK and a bare reader are given it to read.

import { Anthropic } from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { OpenAI } from "openai";
import type { Provider } from "../core/ports.ts";
import { anthropicMessages } from "../providers/anthropic-messages/index.ts";
import { gemini } from "../providers/gemini/index.ts";
import { openaiChat } from "../providers/openai-chat/index.ts";
import { openaiResponses } from "../providers/openai-responses/index.ts";

/** A provider: what it streams, and who can read it. */
export interface Subject {
  name: string;
  /** The events before, for, and after each delta. */
  before: string;
  delta(text: string): string;
  after: string;
  provider(fetch: typeof globalThis.fetch): Provider;
  /** Reads with the SDK's own stream; returns how much text came. */
  sdk(fetch: typeof globalThis.fetch): Promise<number>;
  textOf(data: unknown): string | undefined;
}

const client = { apiKey: "none", maxRetries: 0 };
const named = (data: { type: string; [field: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const chunk = (delta: object, finish_reason: string | null) =>
  `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "m", system_fingerprint: "fp_1", choices: [{ index: 0, delta, logprobs: null, finish_reason }] })}\n\n`;

interface GeminiData {
  candidates: [{ content: { parts: [{ text: string }] } }];
}
const geminiChunk = (parts: object[], end: object = {}) =>
  `data: ${JSON.stringify({ candidates: [{ content: { role: "model", parts }, index: 0, ...end }], usageMetadata: { promptTokenCount: 1, totalTokenCount: 1 }, modelVersion: "m", responseId: "r1" })}\n\n`;

const response = { id: "resp_1", object: "response", created_at: 1, model: "m", status: "completed" };
const message = { id: "msg_1", type: "message", role: "assistant", status: "in_progress" };
const place = { item_id: "msg_1", output_index: 0, content_index: 0 };

/** The providers that are measured. */
export const subjects: Subject[] = [
  {
    name: "anthropic-messages",
    before:
      named({
        type: "message_start",
        message: {
          id: "msg_1",
          type: "message",
          role: "assistant",
          model: "m",
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      }) + named({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    delta: (text) => named({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } }),
    after:
      named({ type: "content_block_stop", index: 0 }) +
      named({
        type: "message_delta",
        delta: { stop_reason: "end_turn", stop_sequence: null },
        usage: { output_tokens: 9 },
      }) +
      named({ type: "message_stop" }),
    provider: (fetch) => anthropicMessages({ model: "m", client: new Anthropic({ ...client, fetch }) }),
    async sdk(fetch) {
      const { messages } = new Anthropic({ ...client, fetch });
      let length = 0;
      for await (const event of await messages.create({ model: "m", max_tokens: 1, messages: [], stream: true })) {
        if (event.type === "content_block_delta" && event.delta.type === "text_delta")
          length += event.delta.text.length;
      }
      return length;
    },
    textOf: (data) => (data as { delta?: { text?: string } }).delta?.text,
  },
  {
    name: "gemini",
    before: "",
    delta: (text) => geminiChunk([{ text }]),
    after: geminiChunk([{ text: "" }], { finishReason: "STOP" }),
    // The adapter has the SDK ask, and reads the answer itself.
    provider: (fetch) => gemini({ model: "m", send: () => fetch("http://localhost") }),
    async sdk(fetch) {
      const { models } = new GoogleGenAI({ apiKey: "none" });
      const config = { httpOptions: { fetch } };
      let length = 0;
      for await (const { candidates } of await models.generateContentStream({ model: "m", contents: "-", config }))
        length += candidates?.[0]?.content?.parts?.[0]?.text?.length ?? 0;
      return length;
    },
    textOf: (data) => (data as GeminiData).candidates[0].content.parts[0].text,
  },
  {
    name: "openai-chat",
    before: chunk({ role: "assistant", content: "" }, null),
    delta: (content) => chunk({ content }, null),
    after: `${chunk({}, "stop")}data: [DONE]\n\n`,
    provider: (fetch) => openaiChat({ model: "m", client: new OpenAI({ ...client, fetch }) }),
    async sdk(fetch) {
      const { completions } = new OpenAI({ ...client, fetch }).chat;
      let length = 0;
      for await (const { choices } of await completions.create({ model: "m", messages: [], stream: true })) {
        length += choices[0]?.delta.content?.length ?? 0;
      }
      return length;
    },
    textOf: (data) => (data as { choices?: { delta?: { content?: string } }[] }).choices?.[0]?.delta?.content,
  },
  {
    name: "openai-responses",
    before:
      named({
        type: "response.created",
        sequence_number: 0,
        response: { ...response, status: "in_progress", output: [] },
      }) +
      named({ type: "response.output_item.added", output_index: 0, item: { ...message, content: [] } }) +
      named({
        type: "response.content_part.added",
        ...place,
        part: { type: "output_text", text: "", annotations: [] },
      }),
    delta: (delta) => named({ type: "response.output_text.delta", ...place, sequence_number: 9, delta, logprobs: [] }),
    // The text that a real stream repeats here is left out: it would be made before it is read, and counted as memory.
    after: named({ type: "response.completed", sequence_number: 99, response: { ...response, output: [] } }),
    provider: (fetch) => openaiResponses({ model: "m", client: new OpenAI({ ...client, fetch }) }),
    async sdk(fetch) {
      const { responses } = new OpenAI({ ...client, fetch });
      let length = 0;
      for await (const event of await responses.create({ model: "m", input: "", stream: true })) {
        if (event.type === "response.output_text.delta") length += event.delta.length;
      }
      return length;
    },
    textOf: (data) => {
      const { type, delta } = data as { type: string; delta?: string };
      return type === "response.output_text.delta" ? delta : undefined;
    },
  },
];
