// What the tests of the codecs of both of OpenAI's formats have in common.

import OpenAI from "openai";
import type { WireResponse } from "../codec.ts";
import type { Inexpressible } from "./codec-contract.ts";
import { fault, response, usage } from "./scripted.ts";

/** The official client, with a server that always sends the same. */
export function openaiClient(wire: WireResponse): OpenAI {
  const body = wire.writes.map(({ text }) => text).join("");
  return new OpenAI({
    apiKey: "test",
    maxRetries: 0,
    fetch: () => Promise.resolve(new Response(body, { status: wire.status, headers: wire.headers })),
  });
}

export const openaiHeaders = { authorization: "Bearer test", "content-type": "application/json" };

/** The body of a refusal with this message. */
export const openaiRefusal = (message: string) => ({ error: { message, type: "invalid_request_error" } });

export const openaiWait = { ms: 2500, headers: { "retry-after-ms": "2500", "retry-after": "3" } };

const parts = [{ text: "Ho" }];

/** What is read of the requests that the tests of both have. */
export const openaiReads = {
  tools: [{ name: "get_weather", description: "Tells.", input_schema: { type: "object" } }],
};

/** What neither format can express. */
export const openaiInexpressible: Inexpressible[] = [
  ["a stop sequence", response(parts, { stop_reason: "stop_sequence" }), "json"],
  ["a pause", response(parts, { stop_reason: "pause" }), "json"],
  ["a full context window", response(parts, { stop_reason: "context_window_exceeded" }), "json"],
  ["a refusal without a word", response([], { stop_reason: "refusal" }), "json"],
  ["half of the usage", response([], { usage: { ...usage, output_tokens: null } }), "json"],
  [
    "details of what was not counted",
    response([], { usage: { ...usage, input_tokens: null, output_tokens: null } }),
    "json",
  ],
  ["how long to wait, in a stream", fault("rate_limit", { after: parts, retry_after_ms: 1000 }), "sse"],
];
