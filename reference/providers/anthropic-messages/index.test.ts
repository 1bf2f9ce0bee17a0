// The anthropic-messages adapter and its SDK, against a server.

import { expect, test } from "vitest";
import { anthropicMessages } from "./index.ts";
import { describeAdapter } from "../../testing/adapter-contract.ts";
import type { Message } from "../../../schemas/types.ts";

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const begin = {
  type: "message_start",
  message: { content: [], model: "claude-x-1", usage: { input_tokens: 5, cache_read_input_tokens: 7 } },
};
const block = (text: string) => ({ type: "content_block_start", index: 0, content_block: { type: "text", text } });

describeAdapter(anthropicMessages, {
  basePath: "",
  path: "/v1/messages",
  json: { content: [{ type: "text", text: "Hi" }], stop_reason: "end_turn" },
  stream:
    event(begin) +
    event(block("Hi")) +
    event({ type: "content_block_stop", index: 0 }) +
    event({ type: "message_delta", delta: { stop_reason: "end_turn" } }) +
    event({ type: "message_stop" }),
  begun: event(begin) + event(block("Par")),
  refusals: [
    [
      "an error of the API",
      {
        status: 429,
        headers: { "retry-after": "2" },
        body: { type: "error", error: { type: "rate_limit_error", message: "slow down" } },
      },
      {
        kind: "rate_limit",
        message: "slow down",
        provider: "anthropic-messages",
        code: "rate_limit_error",
        status: 429,
        retry_after_ms: 2000,
      },
    ],
  ],
});

test("sends nothing that the format has no place for", async () => {
  const user: Message = { role: "user", content: "Hello" };
  const messages: Message[] = [user, { role: "system", content: "No." }, user];
  const provider = anthropicMessages({ model: "claude-x", base_url: "http://127.0.0.1:1", api_key: "k" });
  const call = { signal: new AbortController().signal, onStream() {}, warn() {} };
  expect((await provider.invokeModel({ messages, tools: [] }, call)).error?.kind).toBe("unsupported");
});
