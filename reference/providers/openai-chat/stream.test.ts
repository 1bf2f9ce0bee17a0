// What the openai-chat adapter makes of streams that are not as the API writes them, and what it tells while they grow.

import { describe, expect, test } from "vitest";
import { createReader, parseResponse } from "./index.ts";
import type { StreamEvent } from "../../core/ports.ts";

const model = "gpt-x";
const own = { provider: "openai-chat", model };
type Fields = Record<string, unknown>;

function streamed(...deltas: Fields[]) {
  const heard: StreamEvent[] = [];
  const reader = createReader(model, (event) => heard.push(event));
  for (const delta of deltas) reader.push({ data: JSON.stringify({ choices: [{ delta }] }) });
  reader.push({ data: "[DONE]" });
  return { messages: reader.end().messages, heard };
}

function problemOf(...data: string[]) {
  const reader = createReader(model);
  data.every((one) => reader.push({ data: one }));
  return reader.end().error;
}

test("a listener hears of a message when it begins, with each piece, and when it is whole", () => {
  const { heard } = streamed({ reasoning: "I " }, { reasoning: "see." }, { content: "Yes." });
  const thinking = { type: "thinking", content: "I see.", opaque: { ...own, field: "reasoning" } };
  expect(heard).toStrictEqual([
    { type: "message_start", index: 0, message: { type: "thinking", content: "" } },
    { type: "message_delta", index: 0, delta: "I " },
    { type: "message_delta", index: 0, delta: "see." },
    { type: "message_start", index: 1, message: { role: "assistant", content: "" } },
    { type: "message_delta", index: 1, delta: "Yes." },
    { type: "message_end", index: 0, message: thinking },
    { type: "message_end", index: 1, message: { role: "assistant", content: "Yes." } },
  ]);
});

describe("a listener hears of a call", () => {
  const calls = (...pieces: Fields[]) => streamed(...pieces.map((piece) => ({ tool_calls: [piece] }))).heard;
  const call = (id: string, input: Fields = {}, name = "look") => ({ type: "tool_call", id, name, input });

  test("when its arguments begin, or another call, and of no piece that is empty", () => {
    const heard = calls(
      { index: 0, id: "a", function: { name: "lo", arguments: "" } },
      { index: 0, function: { name: "ok", arguments: "" } },
      { index: 1, id: "b", function: { name: "look", arguments: "" } },
      { index: 1, function: { arguments: '{"at":' } },
      { index: 1, function: { arguments: "" } },
      { index: 1, function: { arguments: "1}" } },
    );
    expect(heard).toStrictEqual([
      { type: "message_start", index: 0, message: call("a") },
      { type: "message_start", index: 1, message: call("b") },
      { type: "message_delta", index: 1, delta: '{"at":' },
      { type: "message_delta", index: 1, delta: "1}" },
      { type: "message_end", index: 0, message: call("a") },
      { type: "message_end", index: 1, message: call("b", { at: 1 }) },
    ]);
  });

  test("not before its name is there, whatever else has begun", () => {
    const heard = calls(
      { index: 0, id: "a", function: { arguments: '{"at":' } },
      { index: 1, id: "b", function: { name: "look", arguments: "{}" } },
      { index: 0, function: { name: "look" } },
      { index: 0, function: { arguments: "1}" } },
    );
    expect(heard).toStrictEqual([
      { type: "message_start", index: 0, message: call("b") },
      { type: "message_delta", index: 0, delta: "{}" },
      { type: "message_start", index: 1, message: call("a") },
      { type: "message_delta", index: 1, delta: '{"at":' },
      { type: "message_delta", index: 1, delta: "1}" },
      { type: "message_end", index: 1, message: call("a", { at: 1 }) },
      { type: "message_end", index: 0, message: call("b") },
    ]);
  });

  test("at the end, if its name never came", () => {
    expect(calls({ index: 0, id: "a", function: { arguments: '{"at":1}' } })).toStrictEqual([
      { type: "message_start", index: 0, message: call("a", {}, "") },
      { type: "message_delta", index: 0, delta: '{"at":1}' },
      { type: "message_end", index: 0, message: call("a", { at: 1 }, "") },
    ]);
  });
});

test("a listener hears of what is no text at the end, as one piece", () => {
  const image = { type: "image_url", image_url: { url: "https://example.com/" } };
  const item = { type: "provider_item", ...own, item: image };
  expect(streamed({ content: [image, { type: "text", text: "See." }] }).heard).toStrictEqual([
    { type: "message_start", index: 0, message: { role: "assistant", content: "" } },
    { type: "message_delta", index: 0, delta: "See." },
    { type: "message_start", index: 1, message: item },
    { type: "message_end", index: 1, message: item },
    { type: "message_end", index: 0, message: { role: "assistant", content: "See." } },
  ]);
});

test("text behind a refusal stays there, as it was heard", () => {
  const { messages } = streamed({ content: "Well. " }, { refusal: "I cannot. " }, { content: "Ask me else." });
  expect(messages).toStrictEqual([{ role: "assistant", content: "Well. I cannot. Ask me else." }]);
});

describe("a reader", () => {
  const half = JSON.stringify({ choices: [{ delta: { content: "Par" } }] });

  test.each([
    ["at the word for the end, with space around it", { data: " [DONE] " }],
    ["at an error", { data: '{"error":{"message":"gone"}}' }],
    ["at an error that only its event names", { event: "error", data: '{"message":"gone"}' }],
    ["at what it cannot read", { data: "<html>" }],
  ])("wants nothing more %s", (_where, last) => {
    const reader = createReader(model);
    expect([reader.push({ data: half }), reader.push(last)]).toEqual([true, false]);
  });

  test("takes the word for the end with space around it", () => {
    expect(problemOf(half, " [DONE] ")).toBeUndefined();
  });

  test("takes an event named error for a failure, whatever fields it has", () => {
    const reader = createReader(model);
    reader.push({ data: half });
    reader.push({ event: "error", data: '{"message":"gone","code":"timeout"}' });
    expect(reader.end()).toMatchObject({
      stop_reason: "error",
      error: { kind: "timeout", code: "timeout", message: "gone" },
      messages: [{ role: "assistant", content: "Par" }],
    });
  });

  test("says why an answer is not complete", () => {
    const why = (lost?: string) => {
      const reader = createReader(model);
      reader.push({ data: half });
      return reader.end(lost).error?.message;
    };
    const incomplete = "the answer of openai-chat is not complete: ";
    expect(why()).toBe(`${incomplete}the stream ended without finish_reason and [DONE]`);
    expect(why("the call was aborted")).toBe(`${incomplete}the call was aborted`);
  });
});

test("a stream without a choice is interrupted", () => {
  const message = "the answer of openai-chat is not complete: the stream ended without a choice";
  const expected = { kind: "stream_interrupted", message, provider: "openai-chat" };
  for (const chunk of [{}, { choices: null }, { choices: [] }, { choices: ["x"] }])
    expect(problemOf(JSON.stringify(chunk), "[DONE]")).toEqual(expected);
  expect(problemOf("[DONE]")).toEqual(expected);
});

describe("a stream that cannot be read says what was expected", () => {
  test.each(["<html>", "[1]", "7"])("where a chunk is %s", (data) => {
    const begun = JSON.stringify({ choices: [{ delta: { content: "Par" }, finish_reason: "stop" }] });
    const message = `expected chunks of JSON from openai-chat, got: ${data}`;
    expect(problemOf(begun, data, "[DONE]")).toEqual({ kind: "invalid_response", message, provider: "openai-chat" });
  });
});

describe("a stream says the same as a body", () => {
  const whole = (message: Fields) => parseResponse({ choices: [{ message, finish_reason: "stop" }] }, model).messages;

  test("where a server has a field of its own for reasoning", () => {
    const pieces = [{ reasoning_text: "I " }, { reasoning_text: "see.", content: "Yes." }];
    expect(streamed(...pieces).messages).toEqual(whole({ content: "Yes.", reasoning_text: "I see." }));
  });

  test("where a summary of reasoning comes in pieces", () => {
    const details = (summary: string) => ({ reasoning_details: [{ type: "reasoning.summary", index: 0, summary }] });
    const pieces = [details("I "), details("see."), { content: "Yes." }];
    expect(streamed(...pieces).messages).toEqual(whole({ content: "Yes.", ...details("I see.") }));
  });

  test("where it speaks aloud", () => {
    const audio = { id: "audio_1", data: "UklGRg==", transcript: "Yes, it is", expires_at: 9 };
    const pieces = [
      { id: "audio_1", transcript: "Yes" },
      { data: "UklG", transcript: null },
      { data: "Rg==", transcript: "" },
      { transcript: ", it is", data: "" },
      { expires_at: 9 },
    ];
    expect(streamed(...pieces.map((piece) => ({ audio: piece }))).messages).toEqual(whole({ audio }));
  });

  test("where it fails", () => {
    const error = { message: "gone", code: 502 };
    const usage = { prompt_tokens: 5, completion_tokens: 3 };
    const reader = createReader(model);
    reader.push({ data: JSON.stringify({ choices: [{ delta: { content: "Par" } }] }) });
    const last = { choices: [{ delta: { content: "is" }, finish_reason: "error" }], error, usage };
    reader.push({ data: JSON.stringify(last) });
    const choices = [{ message: { content: "Paris" }, finish_reason: "error" }];
    expect(reader.end()).toStrictEqual(parseResponse({ choices, error, usage }, model));
  });

  test("where details of reasoning are encrypted, each of them whole, or are no details", () => {
    const secret = (data: string) => ({ type: "reasoning.encrypted", index: 0, data });
    const [one, two] = [secret("gAAA"), secret("gAAB")];
    const pieces = [{ reasoning_details: ["?", one] }, { reasoning_details: [two] }, { content: "Yes." }];
    expect(streamed(...pieces).messages).toEqual(whole({ content: "Yes.", reasoning_details: [one, two] }));
  });

  test("where its content is text here and parts there", () => {
    const parts = [
      { type: "thinking", thinking: "I see." },
      { type: "text", text: "Yes" },
    ];
    const content = [...parts, { type: "text", text: ", it is" }];
    expect(streamed({ content: parts }, { content: ", it is" }).messages).toEqual(whole({ content }));
    expect(streamed({ content: "Yes" }, { content: [{ type: "text", text: ", it is" }] }).messages).toEqual(
      whole({ content: "Yes, it is" }),
    );
  });
});

test("a field of a server's own is what was said last, and stays text where it is reasoning", () => {
  const { messages } = streamed(
    { phase: "a", extra: { data: "x", of: "a" }, reasoning_text: "I " },
    { phase: "b", extra: { data: "y" }, reasoning_text: ["?"] },
    { content: "Yes.", reasoning_text: "see." },
  );
  const opaque = { ...own, phase: "b", extra: { data: "y" }, reasoning_text: "I see." };
  expect(messages).toStrictEqual([{ role: "assistant", content: "Yes.", opaque }]);
});
