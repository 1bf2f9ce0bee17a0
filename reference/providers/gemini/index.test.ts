// The gemini adapter and its SDK, against a server.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { gemini } from "./index.ts";
import { describeAdapter } from "../../testing/adapter-contract.ts";

const answer = (text: string, finishReason?: string) => ({
  candidates: [{ content: { role: "model", parts: [{ text }] }, ...(finishReason && { finishReason }), index: 0 }],
});
const chunk = (text: string, finishReason?: string) => `data: ${JSON.stringify(answer(text, finishReason))}\n\n`;

describeAdapter(gemini, {
  basePath: "",
  path: { json: "/v1/models/some-model:generateContent", sse: "/v1/models/some-model:streamGenerateContent?alt=sse" },
  key: { header: "x-goog-api-key", value: "k" },
  json: answer("Hi", "STOP"),
  stream: chunk("Hi", "STOP"),
  begun: chunk("Par"),
  refusals: [
    [
      "a limit with how long to wait",
      {
        status: 429,
        headers: {},
        body: {
          error: {
            code: 429,
            message: "You exceeded your current quota.",
            status: "RESOURCE_EXHAUSTED",
            details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.07s" }],
          },
        },
      },
      {
        kind: "rate_limit",
        message: "You exceeded your current quota.",
        provider: "gemini",
        code: "RESOURCE_EXHAUSTED",
        status: 429,
        retry_after_ms: 34_070,
      },
    ],
    [
      "a key that is not valid",
      {
        status: 400,
        headers: {},
        body: {
          error: {
            code: 400,
            message: "Bad key.",
            status: "INVALID_ARGUMENT",
            details: [{ reason: "API_KEY_INVALID" }],
          },
        },
      },
      { kind: "authentication", message: "Bad key.", provider: "gemini", code: "INVALID_ARGUMENT", status: 400 },
    ],
    [
      "a conversation that is too long",
      {
        status: 400,
        headers: {},
        body: {
          error: {
            code: 400,
            message: "The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).",
            status: "INVALID_ARGUMENT",
          },
        },
      },
      {
        kind: "context_window_exceeded",
        message: "The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).",
        provider: "gemini",
        code: "INVALID_ARGUMENT",
        status: 400,
      },
    ],
  ],
});

const request = { messages: [{ role: "user" as const, content: "Hello" }], tools: [] };
const call = { signal: new AbortController().signal, onStream() {}, warn() {} };

describe("the client", () => {
  test("is the application's own, where it gives one: for Vertex AI, for example", async () => {
    const { GoogleGenAI } = await import("@google/genai");
    const paths: unknown[] = [];
    const server = createServer((incoming, outgoing) => {
      paths.push(incoming.url);
      outgoing.writeHead(200, { "content-type": "application/json" });
      outgoing.end(JSON.stringify(answer("Hi", "STOP")));
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = new GoogleGenAI({ vertexai: true, apiKey: "k", httpOptions: { baseUrl } });
    const { messages } = await gemini({ model: "m", client, transport: "json" }).invokeModel(request, call);
    server.closeAllConnections();
    server.close();
    expect(messages).toEqual([{ role: "assistant", content: "Hi" }]);
    expect(paths).toEqual(["/v1beta1/publishers/google/models/m:generateContent"]);
  });

  test("is told of a key that no header can carry", async () => {
    const { error } = await gemini({ model: "m", api_key: "a b" }).invokeModel(request, call);
    expect(error).toMatchObject({ kind: "configuration", message: expect.stringContaining("api_key") });
  });
});
