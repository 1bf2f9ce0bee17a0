// That the official SDKs and the adapters read each of the project's fixtures alike, and that what fixtures are called is true.

import { describe, expect, test } from "vitest";
import { httpAnswer, readAnswer } from "../traffic/read/read-exchange.ts";
import { codecs } from "../kit/wire/codecs.ts";
import { validate } from "../kit/base/validate.ts";
import { ownFixtures } from "./fixture-list.ts";
import type { OwnFixture } from "./fixture-list.ts";
import { canonical } from "./recordings/difference.ts";
import { readResponse, readWithSdk } from "./recordings/sdk-reading.ts";

const all = ownFixtures();
const idOf = ({ provider, name }: OwnFixture) => `${provider}/${name}`;
const answers = all.flatMap((one) =>
  one.fixture.exchanges.map((exchange, at) => ({ ...one, exchange, id: `${idOf(one)}#${at + 1}` })),
);
/** Headers that every client sends. */
const headers = {
  "content-type": "application/json",
  "anthropic-version": "2023-06-01",
  "x-api-key": "key",
  authorization: "Bearer key",
};

/** What an SDK refuses, and the adapter reads. */
const refusedBySdk: Record<string, string> = {
  "anthropic-messages/malformed-arguments-streamed#1": "the SDK throws; the loop has to tell the model",
};
/** What an SDK reads otherwise than the adapter. */
const readOtherwise: Record<string, string> = {
  "anthropic-messages/cut-arguments-streamed#1":
    "the SDK makes a whole object of half a one, which must not be executed",
  "openai-chat/missing-ids-streamed#1": "the SDK makes up random ids; the adapter leaves it to the loop, which counts",
};

test.each(answers)("$id is read alike by the SDK and by the adapter", async ({ id, provider, exchange }) => {
  const { status, headers: sent = {} } = exchange.response;
  const streamed = sent["content-type"]?.startsWith("text/event-stream") === true;
  const ours = await readAnswer(provider, exchange.response, "asked");
  const sdk = await readWithSdk(provider, streamed, () => httpAnswer(exchange.response));
  if ("refuses" in sdk) {
    if (id in refusedBySdk) return expect(ours.error).toBeUndefined();
    expect(ours.error, `the SDK says: ${sdk.refuses}`).toBeDefined();
    if (status >= 400) expect([ours.error?.status, Number.parseInt(sdk.refuses, 10)]).toEqual([status, status]);
    return;
  }
  expect(refusedBySdk[id]).toBeUndefined();
  expect(ours.error).toBeUndefined();
  const read = readResponse(provider, ours);
  expect([canonical(read.stop), canonical(read.usage)]).toEqual([canonical(sdk.stop), canonical(sdk.usage)]);
  if (id in readOtherwise) expect(canonical(read.content)).not.toBe(canonical(sdk.content));
  else expect(canonical(read.content)).toBe(canonical(sdk.content));
});

/** Where the provider itself says something else as a stream. */
const otherStory = new Set(["anthropic-messages/refusal", "anthropic-messages/cut-arguments"]);

/** How the answers end, or fail, and what they say. */
const outcomes: Record<string, string> = {
  "anthropic-messages/parallel-calls-streamed": "tool_use assistant tool_call tool_call",
  "anthropic-messages/empty-arguments-streamed": "tool_use tool_call",
  "anthropic-messages/cut-arguments-streamed": "max_tokens tool_call",
  "anthropic-messages/thinking-streamed": "tool_use thinking tool_call",
  "anthropic-messages/redacted-thinking": "end_turn thinking assistant",
  "anthropic-messages/refusal": "refusal assistant",
  "anthropic-messages/context-window-exceeded": "context_window_exceeded assistant",
  "anthropic-messages/stop-sequence": "stop_sequence assistant",
  "anthropic-messages/pause-turn": "pause provider_item",
  "anthropic-messages/server-tools-streamed": "end_turn assistant provider_item provider_item assistant",
  "anthropic-messages/empty-reply": "end_turn",
  "anthropic-messages/error-400": "invalid_request",
  "anthropic-messages/error-401": "authentication",
  "anthropic-messages/error-403": "permission",
  "anthropic-messages/error-404": "not_found",
  "anthropic-messages/error-413": "request_too_large",
  "anthropic-messages/error-429": "rate_limit",
  "anthropic-messages/error-500": "server_error",
  "anthropic-messages/error-529": "overloaded",
  "anthropic-messages/error-mid-stream": "server_error assistant",
  "anthropic-messages/overloaded-in-stream": "overloaded",
  "anthropic-messages/lost-connection": "stream_interrupted assistant",
  "anthropic-messages/lost-connection-in-call": "stream_interrupted tool_call",
  "openai-chat/refusal-streamed": "refusal assistant",
  "openai-chat/content-filter": "content_filter assistant",
  "openai-chat/max-tokens": "max_tokens assistant",
  "openai-chat/stop-with-calls": "end_turn tool_call",
  "openai-chat/reasoning-content-streamed": "end_turn thinking assistant",
  "openai-chat/repeated-names": "tool_use tool_call",
  "openai-chat/missing-ids": "tool_use tool_call tool_call",
  "openai-chat/error-mid-stream": "server_error assistant",
  "openai-chat/error-page": "server_error",
  "openai-chat/error-503": "overloaded",
  "openai-responses/encrypted-reasoning": "tool_use thinking tool_call",
  "openai-responses/reasoning-summary-streamed": "end_turn thinking assistant",
  "openai-responses/refusal": "refusal assistant",
  "openai-responses/content-filter": "content_filter assistant",
  "openai-responses/cut-arguments-streamed": "max_tokens tool_call",
  "openai-responses/server-tools": "end_turn provider_item assistant",
  "openai-responses/failed-in-stream": "server_error",
  "openai-responses/error-mid-stream": "server_error assistant",
  "openai-responses/lost-connection": "stream_interrupted assistant",
  "openai-responses/empty-reply": "end_turn",
};

describe("the set", () => {
  test.each(all)("$provider/$name is a fixture that says why it exists", ({ fixture }) => {
    expect(validate("Fixture", fixture)).toEqual([]);
    expect(fixture.origin).toBe("crafted");
  });

  test.each(Object.entries(outcomes))("%s is what it is called", async (id, expected) => {
    const { provider, fixture } = all.find((one) => idOf(one) === id)!;
    const { stop_reason, error, messages } = await readAnswer(provider, fixture.exchanges[0]!.response, "asked");
    const kinds = messages.map((message) => message.type ?? message.role);
    expect([error?.kind ?? stop_reason, ...kinds].join(" ")).toBe(expected);
  });

  test("says nothing twice within a provider", () => {
    const seen = new Map<string, string>();
    for (const one of all) {
      const key = `${one.provider} ${canonical(one.fixture.exchanges)}`;
      expect(seen.get(key), idOf(one)).toBeUndefined();
      seen.set(key, idOf(one));
    }
  });

  test("keeps the providers' rules in what is asked", () => {
    for (const { exchange, provider, id } of answers) {
      if (!exchange.request || exchange.response.status >= 400) continue;
      const sent = { ...headers, ...exchange.request.headers };
      expect(codecs[provider].checkRequest(exchange.request.body, sent), id).toEqual([]);
    }
  });

  const pairs = all.flatMap((streamed) => {
    const whole = all.find((one) => `${idOf(one)}-streamed` === idOf(streamed));
    return whole && !otherStory.has(idOf(whole)) ? [{ id: idOf(whole), whole, streamed }] : [];
  });
  test.each(pairs)("$id says the same as a stream", async ({ whole, streamed }) => {
    const [one, other] = await Promise.all(
      [whole, streamed].map(({ provider, fixture }) => readAnswer(provider, fixture.exchanges[0]!.response, "asked")),
    );
    expect(one!.error).toBeUndefined();
    expect(other!.messages).toEqual(one!.messages);
    expect(other!.stop_reason).toBe(one!.stop_reason);
  });
});
