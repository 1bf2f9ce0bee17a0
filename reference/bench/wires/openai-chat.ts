// OpenAI's Chat Completions as it is measured: what it says and is told, by hand, through its SDK and through the adapter.

import { OpenAI } from "openai";
import { openaiChat } from "../../providers/openai-chat/index.ts";
import { openai } from "./openai/send.ts";
import { bearer, client, inOneObject, pieces, usage } from "../wire-parts.ts";
import type { Answer, Call, Fields, Hand, MeasuredWire, StreamedText, WireFormat } from "../measured-wire.ts";
import { MAX_TOKENS, MODEL, readTool, SYSTEM, TASK } from "../turn-script.ts";
import type { ReadInput } from "../turn-script.ts";

const { name } = readTool;

interface ChatCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

function fromChat(content: string, tool_calls: ChatCall[] = []): Answer {
  const calls = tool_calls.map((call) => ({ id: call.id, input: JSON.parse(call.function.arguments) as ReadInput }));
  return { text: content, calls, messages: [{ role: "assistant", content, ...(calls.length > 0 && { tool_calls }) }] };
}

const hand: Hand = {
  path: () => "/chat/completions",
  headers: bearer,
  list: "messages",
  body(transport) {
    const { name, description, input_schema } = readTool;
    const tools = [{ type: "function", function: { name, description, parameters: input_schema } }];
    const streamed = transport === "sse" && { stream: true, stream_options: { include_usage: true } };
    return { model: MODEL, tools, max_completion_tokens: MAX_TOKENS, ...streamed };
  },
  first: [
    { role: "system", content: SYSTEM },
    { role: "user", content: TASK },
  ],
  read({ choices }) {
    const [{ message }] = choices as [{ message: { content: string; tool_calls?: ChatCall[] } }];
    return fromChat(message.content, message.tool_calls);
  },
  collect() {
    let text = "";
    const calls: ChatCall[] = [];
    return {
      push({ choices }) {
        const [choice] = choices as { delta: { content?: string; tool_calls?: (ChatCall & { index: number })[] } }[];
        text += choice?.delta.content ?? "";
        for (const { index, id, function: part } of choice?.delta.tool_calls ?? []) {
          const call = calls[index];
          if (call) call.function.arguments += part.arguments;
          else calls[index] = { id, type: "function", function: { ...part } };
        }
      },
      answer: () => fromChat(text, calls),
    };
  },
  results: (results) => results.map(({ id, output }) => ({ role: "tool", tool_call_id: id, content: output })),
};

const answers: WireFormat = {
  json: (text, calls) => ({
    ...chatObject("chat.completion"),
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: text,
          refusal: null,
          ...(calls.length > 0 && { tool_calls: calls.map((call) => chatCall(call)) }),
        },
        logprobs: null,
        finish_reason: calls.length > 0 ? "tool_calls" : "stop",
      },
    ],
    usage: { prompt_tokens: usage.input_tokens, completion_tokens: usage.output_tokens, total_tokens: 1100 },
  }),
  sse(text, calls) {
    const object = chatObject("chat.completion.chunk");
    const chunk = (delta: Fields, finish_reason: string | null = null) =>
      `data: ${JSON.stringify({ ...object, choices: [{ index: 0, delta, logprobs: null, finish_reason }] })}\n\n`;
    return [
      chunk({ role: "assistant", content: "", refusal: null }),
      ...pieces(text).map((content) => chunk({ content })),
      ...calls.flatMap((call, index) => [
        chunk({ tool_calls: [{ index, ...chatCall({ ...call, arguments: "" }) }] }),
        ...pieces(call.arguments).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
      ]),
      chunk({}, calls.length > 0 ? "tool_calls" : "stop"),
      "data: [DONE]\n\n",
    ].join("");
  },
  read: ({ messages }) =>
    (messages as Fields[]).flatMap(({ role, content, tool_calls = [], tool_call_id }) => {
      if (role === "system") return [];
      if (role === "tool") return [`result ${String(tool_call_id)} ${String(content)}`];
      if (role === "user") return [`user ${String(content)}`];
      const calls = tool_calls as { id: string; function: { arguments: string } }[];
      return [
        `text ${String(content)}`,
        ...calls.map((call) => `call ${call.id} ${inOneObject(call.function.arguments)}`),
      ];
    }),
};

function chatObject(object: string): Fields {
  return { id: "chatcmpl-0123456789", object, created: 1_700_000_000, model: MODEL, system_fingerprint: "fp_1" };
}

function chatCall({ id, arguments: written }: Call): Fields {
  return { id, type: "function", function: { name, arguments: written } };
}

const streamedChunk = (delta: object, finish_reason: string | null) =>
  `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "m", system_fingerprint: "fp_1", choices: [{ index: 0, delta, logprobs: null, finish_reason }] })}\n\n`;

const stream: StreamedText = {
  before: streamedChunk({ role: "assistant", content: "" }, null),
  delta: (content) => streamedChunk({ content }, null),
  after: `${streamedChunk({}, "stop")}data: [DONE]\n\n`,
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
};

export const wire: MeasuredWire = {
  hand,
  answers,
  stream,
  adapter: ({ url, ...rest }) => openaiChat({ ...rest, api_key: "none", base_url: url }),
  create(url) {
    const { completions } = new OpenAI({ ...client, baseURL: url }).chat;
    return (body) => completions.create(body as never);
  },
  send: openai,
};
