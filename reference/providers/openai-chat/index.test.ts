// The openai-chat adapter and its SDK, against a server.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { openaiChat } from "./index.ts";
import type { ModelCall } from "../../core/ports.ts";
import type { Message } from "../../../schemas/types.ts";

const model = "gpt-x";
const user: Message = { role: "user", content: "Hello" };
type Chunk = Record<string, unknown>;
const chunk = (delta: Chunk | null, finish_reason: string | null = null): Chunk => ({
  choices: [{ index: 0, delta, finish_reason }],
});

describe("over HTTP", () => {
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

  const listening = (): ModelCall => ({ signal: new AbortController().signal, onStream() {}, warn() {} });
  const request = { messages: [user], tools: [] };

  test("asks once, with the key, and reads the stream", async () => {
    const asked: unknown[] = [];
    const base_url = await serve((incoming, outgoing) => {
      asked.push([incoming.method, incoming.url, incoming.headers.authorization]);
      outgoing.writeHead(200, { "content-type": "text/event-stream" });
      outgoing.end(`data: ${JSON.stringify(chunk({ content: "Hi" }, "stop"))}\n\ndata: [DONE]\n\n`);
    });
    const response = await openaiChat({ model, base_url, api_key: "k" }).invokeModel(request, listening());
    expect(response.messages).toEqual([{ role: "assistant", content: "Hi" }]);
    expect(asked).toEqual([["POST", "/v1/chat/completions", "Bearer k"]]);
  });

  test("keeps what the server said, also where it is not in the usual place", async () => {
    let asked = 0;
    const base_url = await serve((_incoming, outgoing) => {
      asked += 1;
      outgoing.writeHead(503, { "content-type": "application/json", "retry-after-ms": "7" });
      outgoing.end(JSON.stringify({ object: "error", message: "no room", type: "overloaded" }));
    });
    const response = await openaiChat({ model, base_url, api_key: "k" }).invokeModel(request, listening());
    expect(response.error).toMatchObject({ kind: "overloaded", message: "no room", status: 503, retry_after_ms: 7 });
    expect(asked).toBe(1);
  });

  test("reads JSON where a stream was asked for", async () => {
    const base_url = await serve((_incoming, outgoing) => {
      outgoing.writeHead(200, { "content-type": "application/json" });
      outgoing.end(JSON.stringify({ choices: [{ message: { content: "Hi" }, finish_reason: "stop" }] }));
    });
    const response = await openaiChat({ model, base_url, api_key: "k" }).invokeModel(request, listening());
    expect(response.messages).toEqual([{ role: "assistant", content: "Hi" }]);
  });

  test("says when nobody listens", async () => {
    const lost = await openaiChat({ model, base_url: "http://127.0.0.1:1/v1", api_key: "k" }).invokeModel(
      request,
      listening(),
    );
    expect(lost.error?.kind).toBe("network");
  });
});
