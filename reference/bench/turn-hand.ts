// What a loop written by hand for one provider does: the body it sends, and what it takes from an answer. No SDK, no HTTP.

import { MAX_TOKENS, MODEL, readTool, SYSTEM, TASK } from "./turn-script.ts";
import type { ReadInput, Transport, Wire } from "./turn-script.ts";

type Fields = Record<string, unknown>;

/** What the model said: the text, the calls, and the messages to append for it. */
export interface Answer {
  text: string;
  calls: { id: string; input: ReadInput }[];
  messages: Fields[];
}

/** Puts an answer together from the events of a stream. */
export interface Collector {
  push(event: Fields): void;
  answer(): Answer;
}

/** How a hand-written loop talks to one provider. */
export interface Hand {
  path(transport: Transport): string;
  /** What the API asks of every request beside its body: who asks, and in which version. */
  headers: Record<string, string>;
  /** The field of the body in which the conversation stands, after all others. */
  list: string;
  body(transport: Transport): Fields;
  first: Fields[];
  read(answer: Fields): Answer;
  collect(): Collector;
  /** The messages for the results of a turn. */
  results(results: { id: string; output: string }[]): Fields[];
}

const streaming = (transport: Transport) => (transport === "sse" ? { stream: true } : {});

function fromAnthropic(content: Fields[]): Answer {
  const calls = content.flatMap(({ type, id, input }) =>
    type === "tool_use" ? [{ id: id as string, input: input as ReadInput }] : [],
  );
  const text = content.map(({ type, text: some }) => (type === "text" ? (some as string) : "")).join("");
  return { text, calls, messages: [{ role: "assistant", content }] };
}

/** What any client says of itself and of what it sends. */
const common = { accept: "application/json", "content-type": "application/json", "user-agent": "bench" };
const bearer = { ...common, authorization: "Bearer none" };

const anthropicMessages: Hand = {
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

interface GeminiPart {
  text?: string;
  functionCall?: { id: string; args: ReadInput };
}

function fromGemini(parts: GeminiPart[]): Answer {
  const calls = parts.flatMap(({ functionCall: call }) => (call ? [{ id: call.id, input: call.args }] : []));
  const text = parts.map((part) => part.text ?? "").join("");
  const others = parts.filter((part) => part.text === undefined);
  return { text, calls, messages: [{ role: "model", parts: [{ text }, ...others] }] };
}

const geminiParts = ({ candidates }: Fields) => (candidates as [{ content: { parts: GeminiPart[] } }])[0].content.parts;

const gemini: Hand = {
  path: (transport) =>
    `/v1beta/models/${MODEL}:${transport === "sse" ? "streamGenerateContent?alt=sse" : "generateContent"}`,
  headers: { ...common, "x-goog-api-key": "none" },
  list: "contents",
  body() {
    const { name, description, input_schema } = readTool;
    return {
      systemInstruction: { parts: [{ text: SYSTEM }] },
      tools: [{ functionDeclarations: [{ name, description, parametersJsonSchema: input_schema }] }],
      generationConfig: { maxOutputTokens: MAX_TOKENS },
    };
  },
  first: [{ role: "user", parts: [{ text: TASK }] }],
  read: (answer) => fromGemini(geminiParts(answer)),
  collect() {
    const parts: GeminiPart[] = [];
    return { push: (chunk) => void parts.push(...geminiParts(chunk)), answer: () => fromGemini(parts) };
  },
  results: (results) => [
    {
      role: "user",
      parts: results.map(({ id, output }) => ({
        functionResponse: { id, name: readTool.name, response: { output } },
      })),
    },
  ],
};

interface ChatCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

function fromChat(content: string, tool_calls: ChatCall[] = []): Answer {
  const calls = tool_calls.map((call) => ({ id: call.id, input: JSON.parse(call.function.arguments) as ReadInput }));
  return { text: content, calls, messages: [{ role: "assistant", content, ...(calls.length > 0 && { tool_calls }) }] };
}

const openaiChat: Hand = {
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

interface Item {
  type: string;
  call_id: string;
  arguments: string;
  content: { text: string }[];
  [field: string]: unknown;
}

function fromResponses(output: Item[]): Answer {
  const calls = output.flatMap((item) =>
    item.type === "function_call" ? [{ id: item.call_id, input: JSON.parse(item.arguments) as ReadInput }] : [],
  );
  const texts = output.flatMap(({ type, content }) => (type === "message" ? content.map(({ text }) => text) : []));
  return { text: texts.join(""), calls, messages: output };
}

const openaiResponses: Hand = {
  path: () => "/responses",
  headers: bearer,
  list: "input",
  body(transport) {
    const { name, description, input_schema } = readTool;
    return {
      model: MODEL,
      instructions: SYSTEM,
      tools: [{ type: "function", name, description, parameters: input_schema, strict: false }],
      max_output_tokens: MAX_TOKENS,
      store: false,
      include: ["reasoning.encrypted_content"],
      ...streaming(transport),
    };
  },
  first: [{ role: "user", content: TASK }],
  read: ({ output }) => fromResponses(output as Item[]),
  collect() {
    const items: Item[] = [];
    let text = "";
    return {
      push({ type, item, delta }) {
        if (type === "response.output_text.delta") text += delta as string;
        if (type === "response.output_item.done") items.push(item as Item);
      },
      answer() {
        const answer = fromResponses(items);
        if (answer.text !== text) throw new Error("the pieces of the text are not the text");
        return answer;
      },
    };
  },
  results: (results) => results.map(({ id, output }) => ({ type: "function_call_output", call_id: id, output })),
};

export const hands: Record<Wire, Hand> = {
  "anthropic-messages": anthropicMessages,
  gemini,
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
};
