// Gemini's generateContent as it is measured: what it says and is told, by hand, through its SDK and through the adapter.

import { GoogleGenAI } from "@google/genai";
import { gemini } from "../../providers/gemini/index.ts";
import { connect, sendThrough } from "../../providers/gemini/sdk.ts";
import { common, jsonContent, pieces, usage } from "../wire-parts.ts";
import type { Answer, Call, Fields, Hand, MeasuredWire, StreamedText, WireFormat } from "../measured-wire.ts";
import { MAX_TOKENS, MODEL, readTool, SYSTEM, TASK } from "../turn-script.ts";
import type { ReadInput } from "../turn-script.ts";

const { name } = readTool;

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

const hand: Hand = {
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

const answers: WireFormat = {
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
};

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

interface GeminiData {
  candidates: [{ content: { parts: [{ text: string }] } }];
}

const streamedChunk = (parts: object[], end: object = {}) =>
  `data: ${JSON.stringify({ candidates: [{ content: { role: "model", parts }, index: 0, ...end }], usageMetadata: { promptTokenCount: 1, totalTokenCount: 1 }, modelVersion: "m", responseId: "r1" })}\n\n`;

const stream: StreamedText = {
  before: "",
  delta: (text) => streamedChunk([{ text }]),
  after: streamedChunk([{ text: "" }], { finishReason: "STOP" }),
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
};

export const wire: MeasuredWire = {
  hand,
  answers,
  stream,
  adapter: ({ url, ...rest }) => gemini({ ...rest, api_key: "none", base_url: url }),
  create(url, transport) {
    const { models } = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: url } });
    return ({ contents, generationConfig, ...config }) => {
      const request = { model: MODEL, contents, config: { ...config, ...(generationConfig as Fields) } } as never;
      return transport === "sse" ? models.generateContentStream(request) : models.generateContent(request);
    };
  },
  send(base_url) {
    const client = connect({ api_key: "none", base_url });
    const { signal } = new AbortController();
    return async (path, body) => {
      const transport = path.includes(":stream") ? "sse" : "json";
      return sendThrough(await client, MODEL, transport, { body, headers: jsonContent, signal, maxRetries: 0 });
    };
  },
};
