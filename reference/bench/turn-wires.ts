// The work on each wire: how the model's answers look, and what a request says.

import { callIdOf, DONE, inputOf, MODEL, readTool, textOf } from "./turn-script.ts";
import type { Scenario, Wire } from "./turn-script.ts";

type Fields = Record<string, unknown>;

interface Call {
  id: string;
  arguments: string;
}

interface WireFormat {
  json(text: string, calls: Call[]): Fields;
  sse(text: string, calls: Call[]): string;
  /** What a request says, in the words of `conversation`. */
  read(body: Fields): string[];
}

/** The answer to the request of a turn, as the text of its body. */
export function answerOf({ wire, transport, calls, turns }: Scenario, turn: number): string {
  const made = Array.from({ length: turn < turns ? calls : 0 }, (_, call) => ({
    id: callIdOf(turn, call),
    arguments: JSON.stringify(inputOf(turn, call)),
  }));
  const text = turn < turns ? textOf(turn) : DONE;
  return transport === "sse" ? formats[wire].sse(text, made) : JSON.stringify(formats[wire].json(text, made));
}

/** What a request says, in the words of `conversation`. */
export function readRequest(wire: Wire, body: string): string[] {
  return formats[wire].read(JSON.parse(body) as Fields);
}

const usage = { input_tokens: 1000, output_tokens: 100 };
const { name } = readTool;
const pieces = (text: string) => text.match(/[\s\S]{1,5}/g) ?? [];
const named = (data: Fields) => `event: ${String(data.type)}\ndata: ${JSON.stringify(data)}\n\n`;
const inOneObject = (text: string) => JSON.stringify(JSON.parse(text));

const formats: Record<Wire, WireFormat> = {
  "anthropic-messages": {
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
  },

  gemini: {
    json: (text, calls) => geminiChunk([{ text }, ...calls.map(geminiCall)], true),
    sse: (text, calls) =>
      [
        ...pieces(text).map((piece) => geminiChunk([{ text: piece }])),
        ...calls.map((call, at) => geminiChunk([geminiCall(call, at)])),
        geminiChunk([{ text: "" }], true),
      ]
        .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
        .join(""),
    read: ({ contents }) =>
      (contents as { role: string; parts: Record<string, Fields & string>[] }[]).flatMap(({ role, parts }) =>
        parts.map(({ text, functionCall: call, functionResponse: result }) => {
          if (call) return `call ${String(call.id)} ${JSON.stringify(call.args)}`;
          if (result) return `result ${String(result.id)} ${String((result.response as Fields).output)}`;
          return `${role === "user" ? "user" : "text"} ${text}`;
        }),
      ),
  },

  "openai-chat": {
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
  },

  "openai-responses": {
    json: (text, calls) => responsesObject("completed", itemsOf(text, calls)),
    sse(text, calls) {
      let sequence_number = 0;
      const event = (data: Fields) => named({ ...data, sequence_number: sequence_number++ });
      const items = itemsOf(text, calls);
      const grown = items.map((item, output_index) => {
        const place = { item_id: item.id, output_index };
        const isText = item.type === "message";
        const begun = { ...item, status: "in_progress", ...(isText ? { content: [] } : { arguments: "" }) };
        const deltas = pieces(isText ? text : String(item.arguments));
        return [
          event({ type: "response.output_item.added", output_index, item: begun }),
          ...deltas.map((delta) =>
            isText
              ? event({ type: "response.output_text.delta", ...place, content_index: 0, delta, logprobs: [] })
              : event({ type: "response.function_call_arguments.delta", ...place, delta }),
          ),
          event({ type: "response.output_item.done", output_index, item }),
        ].join("");
      });
      return [
        event({ type: "response.created", response: responsesObject("in_progress", []) }),
        ...grown,
        event({ type: "response.completed", response: responsesObject("completed", items) }),
      ].join("");
    },
    read: ({ input }) =>
      (input as Fields[]).map(({ type, role, content, call_id, ...item }) => {
        if (type === "function_call") return `call ${String(call_id)} ${inOneObject(String(item.arguments))}`;
        if (type === "function_call_output") return `result ${String(call_id)} ${String(item.output)}`;
        const text = typeof content === "string" ? content : (content as Fields[]).map((part) => part.text).join("");
        return `${role === "user" ? "user" : "text"} ${text}`;
      }),
  },
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

/** A whole answer, or a part of a stream. */
function geminiChunk(parts: Fields[], isLast = false): Fields {
  return {
    candidates: [{ content: { role: "model", parts }, index: 0, ...(isLast && { finishReason: "STOP" }) }],
    usageMetadata: {
      promptTokenCount: usage.input_tokens,
      candidatesTokenCount: usage.output_tokens,
      totalTokenCount: 1100,
    },
    modelVersion: MODEL,
    responseId: "resp_0123456789",
  };
}

/** The first call of an answer has its signature. */
function geminiCall({ id, arguments: written }: Call, at: number): Fields {
  const functionCall = { id, name, args: JSON.parse(written) as Fields };
  return { functionCall, ...(at === 0 && { thoughtSignature: "c2lnbmF0dXJlIG9mIGEgdGhvdWdodA==" }) };
}

function chatObject(object: string): Fields {
  return { id: "chatcmpl-0123456789", object, created: 1_700_000_000, model: MODEL, system_fingerprint: "fp_1" };
}

function chatCall({ id, arguments: written }: Call): Fields {
  return { id, type: "function", function: { name, arguments: written } };
}

function itemsOf(text: string, calls: Call[]): Fields[] {
  const id = (kind: string, of: string) => `${kind}_${of}`;
  return [
    {
      type: "message",
      id: id("msg", calls[0]?.id ?? "last"),
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
    },
    ...calls.map((call) => ({
      type: "function_call",
      id: id("fc", call.id),
      call_id: call.id,
      name,
      arguments: call.arguments,
      status: "completed",
    })),
  ];
}

function responsesObject(status: string, output: Fields[]): Fields {
  return {
    id: "resp_0123456789",
    object: "response",
    created_at: 1_700_000_000,
    model: MODEL,
    status,
    error: null,
    incomplete_details: null,
    output,
    ...(status === "completed" && { usage: { ...usage, total_tokens: 1100 } }),
  };
}
