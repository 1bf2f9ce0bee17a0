// The openai-responses adapter and its SDK, against a server.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { openaiResponses } from "./index.ts";
import type { ModelCall } from "../../core/ports.ts";
import type { Message } from "../../../schemas/types.ts";

const model = "gpt-x";
const user: Message = { role: "user", content: "Hello" };
const item = { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hi" }] };
const body = { object: "response", status: "completed", output: [item] };
const request = { messages: [user], tools: [] };

let close: (() => void) | undefined;
afterEach(() => close?.());

async function serve(handler: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(handler).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

function listening(): ModelCall & { heard: string[] } {
  const heard: string[] = [];
  return { heard, signal: new AbortController().signal, onStream: ({ type }) => heard.push(type), warn() {} };
}

test("asks once, with the key, and reads the stream", async () => {
  const asked: unknown[] = [];
  const base_url = await serve((incoming, outgoing) => {
    asked.push([incoming.method, incoming.url, incoming.headers.authorization]);
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    outgoing.end(
      `event: response.completed\ndata: ${JSON.stringify({ type: "response.completed", response: body })}\n\n`,
    );
  });
  const call = listening();
  const response = await openaiResponses({ model, base_url, api_key: "k" }).invokeModel(request, call);
  expect(response).toMatchObject({ messages: [{ role: "assistant", content: "Hi" }], stop_reason: "end_turn" });
  expect(call.heard).toEqual(["message_start", "message_delta", "message_end"]);
  expect(asked).toEqual([["POST", "/v1/responses", "Bearer k"]]);
});

test("keeps what the server said, also where it is not in the usual place", async () => {
  let asked = 0;
  const base_url = await serve((_incoming, outgoing) => {
    asked += 1;
    outgoing.writeHead(429, { "content-type": "application/json", "retry-after": "2" });
    outgoing.end(JSON.stringify({ code: "busy", error: "later" }));
  });
  const response = await openaiResponses({ model, base_url, api_key: "k" }).invokeModel(request, listening());
  expect(response.error).toMatchObject({ kind: "rate_limit", message: "later", status: 429, retry_after_ms: 2000 });
  expect(asked).toBe(1);
});

test("reads JSON where a stream was asked for", async () => {
  const base_url = await serve((_incoming, outgoing) => {
    outgoing.writeHead(200, { "content-type": "application/json" });
    outgoing.end(JSON.stringify(body));
  });
  const response = await openaiResponses({ model, base_url, api_key: "k" }).invokeModel(request, listening());
  expect(response.messages).toMatchObject([{ role: "assistant", content: "Hi" }]);
});

test("says when nobody listens", async () => {
  const settings = { model, base_url: "http://127.0.0.1:1/v1", api_key: "k" };
  const lost = await openaiResponses(settings).invokeModel(request, listening());
  expect(lost.error?.kind).toBe("network");
});
