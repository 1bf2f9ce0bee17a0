// Anthropic's Messages API as it is measured: what it says and is told, by hand, through its SDK and through the adapter.

import { Anthropic } from "@anthropic-ai/sdk";
import { anthropicMessages } from "../../providers/anthropic-messages/index.ts";
import { client, common, jsonContent, named, pieces, streaming, usage, byNode } from "../wire-parts.ts";
import type { Answer, Fields, Hand, MeasuredWire, StreamedText, WireFormat } from "../measured-wire.ts";
import { MAX_TOKENS, MODEL, readTool, SYSTEM, TASK } from "../turn-script.ts";
import type { ReadInput } from "../turn-script.ts";

const { name } = readTool;

function fromAnthropic(content: Fields[]): Answer {
  const calls = content.flatMap(({ type, id, input }) =>
    type === "tool_use" ? [{ id: id as string, input: input as ReadInput }] : [],
  );
  const text = content.map(({ type, text: some }) => (type === "text" ? (some as string) : "")).join("");
  return { text, calls, messages: [{ role: "assistant", content }] };
}

const hand: Hand = {
  path: () => "/v1/messages",
  headers: { ...common, "x-api-key": "none", "anthropic-version": "2023-06-01" },
  list: "messages",
  body: (transport) => ({
    model: MODEL,
    max_tokens: MAX_TOKENS,
    system: SYSTEM,
    tools: [readTool],
    ...streaming(transport),
  }),
  first: [{ role: "user", content: TASK }],
  read: ({ content }) => fromAnthropic(content as Fields[]),
  collect() {
    const content: Fields[] = [];
    let json = "";
    return {
      push({ type, content_block, delta }) {
        const block = content.at(-1)!;
        if (type === "content_block_start") {
          content.push({ ...(content_block as Fields) });
          json = "";
        } else if (type === "content_block_delta") {
          const { text, partial_json } = delta as { text?: string; partial_json?: string };
          if (text !== undefined) block.text = (block.text as string) + text;
          if (partial_json !== undefined) json += partial_json;
        } else if (type === "content_block_stop" && block.type === "tool_use") {
          block.input = JSON.parse(json);
        }
      },
      answer: () => fromAnthropic(content),
    };
  },
  results: (results) => [
    {
      role: "user",
      content: results.map(({ id, output }) => ({ type: "tool_result", tool_use_id: id, content: output })),
    },
  ],
};

const answers: WireFormat = {
  json: (text, calls) => ({
    ...anthropicMessage(),
    content: [
      { type: "text", text },
      ...calls.map((call) => ({ type: "tool_use", id: call.id, name, input: JSON.parse(call.arguments) as Fields })),
    ],
    stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
  }),
  sse(text, calls) {
    const block = (index: number, content_block: Fields, deltas: Fields[]) =>
      named({ type: "content_block_start", index, content_block }) +
      deltas.map((delta) => named({ type: "content_block_delta", index, delta })).join("") +
      named({ type: "content_block_stop", index });
    const texts = pieces(text).map((piece) => ({ type: "text_delta", text: piece }));
    return [
      named({ type: "message_start", message: anthropicMessage() }),
      block(0, { type: "text", text: "" }, texts),
      ...calls.map((call, at) =>
        block(
          at + 1,
          { type: "tool_use", id: call.id, name, input: {} },
          pieces(call.arguments).map((partial_json) => ({ type: "input_json_delta", partial_json })),
        ),
      ),
      named({
        type: "message_delta",
        delta: { stop_reason: calls.length > 0 ? "tool_use" : "end_turn", stop_sequence: null },
        usage: { output_tokens: usage.output_tokens },
      }),
      named({ type: "message_stop" }),
    ].join("");
  },
  read: ({ messages }) =>
    (messages as { role: string; content: string | Fields[] }[]).flatMap(({ role, content }) => {
      const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
      return blocks.map(({ type, ...block }) => {
        if (type === "tool_use") return `call ${String(block.id)} ${JSON.stringify(block.input)}`;
        if (type === "tool_result") return `result ${String(block.tool_use_id)} ${String(block.content)}`;
        return `${role === "user" ? "user" : "text"} ${String(block.text)}`;
      });
    }),
};

function anthropicMessage(): Fields {
  return {
    id: "msg_0123456789",
    type: "message",
    role: "assistant",
    model: MODEL,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
}

const stream: StreamedText = {
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
      if (event.type === "content_block_delta" && event.delta.type === "text_delta") length += event.delta.text.length;
    }
    return length;
  },
  textOf: (data) => (data as { delta?: { text?: string } }).delta?.text,
};

export const wire: MeasuredWire = {
  hand,
  answers,
  stream,
  adapter: ({ url, ...rest }) => anthropicMessages({ ...rest, api_key: "none", base_url: url }),
  create(url) {
    const { messages } = new Anthropic({ ...client, baseURL: url });
    return (body) => messages.create(body as never);
  },
  send(baseURL) {
    const client = new Anthropic({ ...byNode, baseURL });
    return (path, body) => client.post(path, { body, headers: jsonContent }).asResponse();
  },
};
