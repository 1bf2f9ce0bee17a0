// The anthropic-messages adapter and its SDK, against a server.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { anthropicMessages } from "./index.ts";
import type { ModelCall } from "../../core/ports.ts";
import type { Message } from "../../../schemas/types.ts";

const model = "claude-x";
const user: Message = { role: "user", content: "Hello" };
const begin = {
  type: "message_start",
  message: { content: [], model: "claude-x-1", usage: { input_tokens: 5, cache_read_input_tokens: 7 } },
};
const block = (index: number, content_block: object) => ({ type: "content_block_start", index, content_block });

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
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const listening = (signal = new AbortController().signal): ModelCall => ({ signal, onStream() {}, warn() {} });
  const request = { messages: [user], tools: [] };

  test("asks once, with the key, and reads the answer", async () => {
    const asked: unknown[] = [];
    const base_url = await serve((incoming, outgoing) => {
      asked.push([incoming.method, incoming.url, incoming.headers.authorization]);
      outgoing.writeHead(200, { "content-type": "application/json" });
      outgoing.end(JSON.stringify({ content: [{ type: "text", text: "Hi" }], stop_reason: "end_turn" }));
    });
    const provider = anthropicMessages({ model, base_url, api_key: "k", transport: "json" });
    const response = await provider.invokeModel(request, listening());
    expect(response.messages).toEqual([{ role: "assistant", content: "Hi" }]);
    expect(asked).toEqual([["POST", "/v1/messages", "Bearer k"]]);
  });

  test("does not retry", async () => {
    let asked = 0;
    const base_url = await serve((_incoming, outgoing) => {
      asked += 1;
      outgoing.writeHead(429, { "content-type": "application/json", "retry-after": "2" });
      outgoing.end(JSON.stringify({ type: "error", error: { type: "rate_limit_error", message: "slow down" } }));
    });
    const response = await anthropicMessages({ model, base_url, api_key: "k" }).invokeModel(request, listening());
    expect(response.error).toEqual({
      kind: "rate_limit",
      message: "slow down",
      provider: "anthropic-messages",
      code: "rate_limit_error",
      status: 429,
      retry_after_ms: 2000,
    });
    expect(asked).toBe(1);
  });

  test("says when nobody listens", async () => {
    const provider = anthropicMessages({ model, base_url: "http://127.0.0.1:1", api_key: "k" });
    expect((await provider.invokeModel(request, listening())).error?.kind).toBe("network");
  });

  test("stops reading when the run is cancelled", async () => {
    const base_url = await serve((_incoming, outgoing) => {
      outgoing.writeHead(200, { "content-type": "text/event-stream" });
      outgoing.write(`data: ${JSON.stringify(begin)}\n\n`);
      outgoing.write(`data: ${JSON.stringify(block(0, { type: "text", text: "Par" }))}\n\n`);
    });
    const abort = new AbortController();
    const heard = { ...listening(abort.signal), onStream: () => abort.abort() };
    const response = await anthropicMessages({ model, base_url, api_key: "k" }).invokeModel(request, heard);
    expect(response).toMatchObject({ stop_reason: "interrupted", messages: [{ role: "assistant", content: "Par" }] });
  });

  test("reports a connection that breaks, with what was said", async () => {
    const base_url = await serve((incoming, outgoing) => {
      outgoing.writeHead(200, { "content-type": "text/event-stream" });
      outgoing.write(`data: ${JSON.stringify(begin)}\n\n`);
      outgoing.write(`data: ${JSON.stringify(block(0, { type: "text", text: "Par" }))}\n\n`, () =>
        incoming.socket.destroy(),
      );
    });
    const response = await anthropicMessages({ model, base_url, api_key: "k" }).invokeModel(request, listening());
    expect(response).toMatchObject({ stop_reason: "interrupted", messages: [{ role: "assistant", content: "Par" }] });
  });

  test("takes an error page for what it is", async () => {
    const base_url = await serve((_incoming, outgoing) => {
      outgoing.writeHead(200, { "content-type": "text/html" });
      outgoing.end("<html>maintenance</html>");
    });
    const response = await anthropicMessages({ model, base_url, api_key: "k" }).invokeModel(request, listening());
    expect(response.error).toMatchObject({
      kind: "invalid_response",
      message: expect.stringContaining("maintenance") as string,
    });
  });

  test("sends nothing that the format has no place for", async () => {
    const messages: Message[] = [user, { role: "system", content: "No." }, user];
    const provider = anthropicMessages({ model, base_url: "http://127.0.0.1:1", api_key: "k" });
    expect((await provider.invokeModel({ messages, tools: [] }, listening())).error?.kind).toBe("unsupported");
  });
});
