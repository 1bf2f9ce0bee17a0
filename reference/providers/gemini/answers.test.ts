// What the gemini adapter makes of answers, whole and in pieces.

import { describe, expect, test } from "vitest";
import { createReader, parseResponse } from "./index.ts";
import type { StreamEvent } from "../../core/ports.ts";

const model = "gemini-3-flash-preview";
const own = { provider: "gemini", model };
type Part = Record<string, unknown>;
const answer = (parts: Part[], more: object = { finishReason: "STOP" }) => ({
  candidates: [{ content: { role: "model", parts }, index: 0, ...more }],
});
const read = (parts: Part[], more?: object) => parseResponse(answer(parts, more), model);

/** A stream of chunks, one for each part, and its end. */
function streamed(parts: Part[], more: object = { finishReason: "STOP" }, events: StreamEvent[] = []) {
  const reader = createReader(model, (event) => events.push(event));
  for (const part of parts) reader.push({ data: JSON.stringify(answer([part], {})) });
  reader.push({ data: JSON.stringify(answer([{ text: "" }], more)) });
  return reader.end();
}

describe("the parts of an answer", () => {
  test("are messages, with their signatures", () => {
    const parts = [
      { text: "Hm.", thought: true, thoughtSignature: "c2ln" },
      { text: "Look." },
      { functionCall: { name: "look", args: { far: true } }, thoughtSignature: "c2ln2" },
      { executableCode: { language: "PYTHON", code: "1" }, thoughtSignature: "c2ln3" },
    ];
    const messages = [
      { type: "thinking", content: "Hm.", opaque: { ...own, signature: "c2ln" } },
      { role: "assistant", content: "Look." },
      { type: "tool_call", id: "", name: "look", input: { far: true }, opaque: { ...own, signature: "c2ln2" } },
      { type: "provider_item", provider: "gemini", model, item: parts[3] },
    ];
    expect(read(parts).messages).toEqual(messages);
    expect(streamed(parts).messages).toEqual(messages);
    expect(read(parts).stop_reason).toBe("tool_use");
  });

  test("that are a signature alone stand apart from the text before them, or alone", () => {
    const sealed = { text: "", thoughtSignature: "c2ln" };
    expect(streamed([{ text: "a" }, { text: "b" }, sealed, { text: "c" }]).messages).toEqual([
      { role: "assistant", content: "ab", opaque: { ...own, signature: "c2ln", signature_apart: true } },
      { role: "assistant", content: "c" },
    ]);
    expect(streamed([sealed]).messages).toEqual([{ type: "provider_item", provider: "gemini", model, item: sealed }]);
  });

  test("have the digits that they came with", () => {
    const text = JSON.stringify(answer([{ functionCall: { name: "pay", args: { n: 1 } } }])).replace(
      '"n":1',
      '"n":12345678901234567890',
    );
    expect(parseResponse(text, model).messages).toMatchObject([{ raw_input: '{"n":12345678901234567890}' }]);
  });

  test("are put together where the arguments of a call come in pieces", () => {
    const piece = (jsonPath: string, more: object) => ({
      functionCall: { partialArgs: [{ jsonPath, ...more }], willContinue: true },
    });
    const { messages } = streamed([
      { functionCall: { name: "cook", willContinue: true }, thoughtSignature: "c2ln" },
      piece("$.steps[0].name", { stringValue: "Bo", willContinue: true }),
      piece("$.steps[0].name", { stringValue: "il" }),
      piece("$.steps[1]['long name']", { boolValue: true }),
      piece("$.people", { numberValue: 4 }),
      piece("$.none", { nullValue: null }),
      piece("$.__proto__.polluted", { boolValue: true }),
      { functionCall: {} },
      { functionCall: { name: "eat" } },
    ]);
    expect(messages).toMatchObject([
      {
        name: "cook",
        input: { steps: [{ name: "Boil" }, { "long name": true }], people: 4, none: null },
        opaque: { signature: "c2ln" },
      },
      { name: "eat", input: {} },
    ]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test.each(["$.steps[4294967294]", "$.steps[2].name", "$.steps.length", "$.steps.name"])(
    "have no piece at %s, where a list has no place",
    (jsonPath) => {
      const piece = (path: string, more: object) => ({
        functionCall: { partialArgs: [{ jsonPath: path, ...more }], willContinue: true },
      });
      const { messages } = streamed([
        { functionCall: { name: "cook", willContinue: true } },
        piece("$.steps[0]", { stringValue: "Boil" }),
        piece(jsonPath, { numberValue: 4 }),
        { functionCall: {} },
      ]);
      expect(messages).toMatchObject([{ name: "cook", input: { steps: ["Boil"] } }]);
    },
  );

  test.each([
    ["the answer", []],
    ["a text", [{ text: "Well." }]],
    ["another call", [{ functionCall: { name: "eat" } }]],
  ])("of a call without its last piece, before the end of %s, are no object", (_, after) => {
    const { messages } = streamed([
      { functionCall: { name: "delete_files", willContinue: true } },
      { functionCall: { partialArgs: [{ jsonPath: "$.path", stringValue: "/et" }], willContinue: true } },
      ...after,
    ]);
    expect(messages[0]).toMatchObject({ name: "delete_files", input: null, raw_input: '{"path":"/et"' });
  });

  test("that say where a text is from are kept beside it", () => {
    const groundingMetadata = { webSearchQueries: ["q"] };
    expect(read([{ text: "So." }], { finishReason: "STOP", groundingMetadata }).messages).toEqual([
      { role: "assistant", content: "So.", opaque: { ...own, groundingMetadata } },
    ]);
  });
});

describe("the events of a stream", () => {
  test("announce each message once, with its pieces", () => {
    const events: StreamEvent[] = [];
    streamed([{ text: "a" }, { text: "b" }, { functionCall: { id: "c", name: "look", args: {} } }], undefined, events);
    expect(events.map(({ type, index }) => `${type} ${index}`)).toEqual([
      "message_start 0",
      "message_delta 0",
      "message_delta 0",
      "message_end 0",
      "message_start 1",
      "message_delta 1",
      "message_end 1",
    ]);
  });
});

describe("the end of an answer", () => {
  test.each([
    ["STOP", "end_turn"],
    ["MAX_TOKENS", "max_tokens"],
    ["SAFETY", "content_filter"],
    ["IMAGE_OTHER", "other"],
    [1, "end_turn"],
    [3, "content_filter"],
  ])("%s is %s", (finishReason, stop_reason) => {
    expect(read([{ text: "a" }], { finishReason }).stop_reason).toBe(stop_reason);
  });

  test.each(["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"])("%s is an error", (finishReason) => {
    expect(read([], { finishReason })).toMatchObject({
      stop_reason: "error",
      raw_stop_reason: finishReason,
      error: { kind: "invalid_response", code: finishReason },
    });
  });

  test("is missing where a stream was cut", () => {
    const reader = createReader(model);
    reader.push({ data: JSON.stringify(answer([{ text: "Par" }], {})) });
    expect(reader.end()).toMatchObject({ stop_reason: "interrupted", messages: [{ content: "Par" }] });
  });

  test("is a block of the prompt, where there is no candidate", () => {
    const body = { promptFeedback: { blockReason: "SAFETY" } };
    expect(parseResponse(body, model)).toMatchObject({
      messages: [],
      stop_reason: "content_filter",
      raw_stop_reason: "SAFETY",
    });
  });
});

describe("an answer that is none", () => {
  test("says what was expected, or what the server reports", () => {
    expect(parseResponse("<html>", model).error).toMatchObject({ kind: "invalid_response" });
    for (const body of [null, {}, [], ["x"]]) expect(parseResponse(body, model).error?.kind).toBe("invalid_response");
    const error = { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" };
    const overloaded = { kind: "overloaded", code: "UNAVAILABLE", message: "The model is overloaded." };
    expect(parseResponse({ error }, model).error).toMatchObject(overloaded);
    const reader = createReader(model);
    expect(reader.push({ data: JSON.stringify({ error }) })).toBe(false);
    expect(reader.end().error).toMatchObject(overloaded);
  });

  test("may be a stream that came as a list", () => {
    const list = [answer([{ text: "a" }], {}), answer([{ text: "b" }])];
    expect(parseResponse(list, model)).toMatchObject({ messages: [{ content: "ab" }], stop_reason: "end_turn" });
  });
});
