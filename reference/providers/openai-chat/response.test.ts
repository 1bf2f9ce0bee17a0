// What the openai-chat adapter makes of answers, whole and streamed.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createReader, parseResponse, renderRequest } from "./index.ts";
import type { StreamEvent } from "../../core/ports.ts";
import type { Message } from "../../../schemas/types.ts";

const model = "gpt-x";
const user: Message = { role: "user", content: "Hello" };
const wireCall = (id: string, written = "{}") => ({
  id,
  type: "function",
  function: { name: "look", arguments: written },
});

function sent(messages: Message[]) {
  return renderRequest({ messages, tools: [] }, { model }).body.messages as Record<string, unknown>[];
}

type Chunk = Record<string, unknown>;
const chunk = (delta: Chunk | null, finish_reason: string | null = null): Chunk => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const piece = (fields: Chunk): Chunk => chunk({ tool_calls: [fields] });

/** Reads a stream of these chunks, with `[DONE]` unless it is said to be missing. */
function stream(chunks: (Chunk | string)[], done = true) {
  const heard: StreamEvent[] = [];
  const reader = createReader(model, (event) => heard.push(event));
  for (const data of done ? [...chunks, "[DONE]"] : chunks) {
    if (!reader.push({ data: typeof data === "string" ? data : JSON.stringify(data) })) break;
  }
  return { response: reader.end(), heard };
}

describe("an answer", () => {
  const usage = {
    prompt_tokens: 5,
    completion_tokens: 3,
    total_tokens: 8,
    prompt_tokens_details: { cached_tokens: 2 },
  };

  test("says the same whole and streamed, however it is cut", () => {
    const text = "The answer, at last";
    const thought = "First this";
    const written = '{"city":"Paris"}';
    const message = {
      role: "assistant",
      content: text,
      reasoning_content: thought,
      tool_calls: [wireCall("a", written), wireCall("b", written)],
    };
    const expected = parseResponse(
      { choices: [{ message, finish_reason: "tool_calls" }], usage, model: "gpt-x-1" },
      model,
    );
    const cut = (whole: string) =>
      fc.array(fc.nat(whole.length)).map((ends) => {
        const sorted = [0, ...ends.toSorted((a, b) => a - b), whole.length];
        return sorted.slice(1).map((end, at) => whole.slice(sorted[at], end));
      });
    fc.assert(
      fc.property(
        cut(text),
        cut(thought),
        cut(written),
        cut(written),
        fc.infiniteStream(fc.nat(3)),
        (texts, thoughts, first, second, order) => {
          const streams = [
            texts.map((content) => chunk({ content })),
            thoughts.map((reasoning_content) => chunk({ reasoning_content })),
            [
              piece({ index: 0, ...wireCall("a", "") }),
              ...first.map((part) => piece({ index: 0, function: { arguments: part } })),
            ],
            [
              piece({ index: 1, ...wireCall("b", "") }),
              ...second.map((part) => piece({ index: 1, function: { arguments: part } })),
            ],
          ];
          const chunks: Chunk[] = [];
          while (streams.some((rest) => rest.length > 0)) {
            const rest = streams[order.next().value as number]!;
            if (rest.length > 0) chunks.push(rest.shift()!);
          }
          const { response, heard } = stream([
            ...chunks,
            chunk({}, "tool_calls"),
            { choices: [], usage, model: "gpt-x-1" },
          ]);
          expect(response).toEqual(expected);
          const starts = heard.filter(({ type }) => type === "message_start");
          const ends = heard.filter(({ type }) => type === "message_end");
          expect([starts.length, ends.length]).toEqual([4, 4]);
        },
      ),
      { numRuns: 50 },
    );
    expect(expected.usage).toEqual({
      input_tokens: 5,
      output_tokens: 3,
      cache_read_tokens: 2,
      cache_write_tokens: null,
      reasoning_tokens: null,
    });
  });

  test.each([
    ["stop", "end_turn"],
    ["length", "max_tokens"],
    ["tool_calls", "tool_use"],
    ["function_call", "tool_use"],
    ["content_filter", "content_filter"],
    ["a_new_word", "other"],
    ["toString", "other"],
  ])("that finishes with %s stops with %s", (word, expected) => {
    const whole = parseResponse({ choices: [{ message: { content: "x" }, finish_reason: word }] }, model);
    const { response } = stream([chunk({ content: "x" }, word)], false);
    expect(whole).toMatchObject({ stop_reason: expected, raw_stop_reason: word });
    expect(response).toEqual(whole);
  });

  test("keeps the reasoning that it told, whatever fields and types it came in", () => {
    const { response } = stream([
      chunk({ reasoning: "a", reasoning_details: [{ type: "reasoning.text", text: "a" }] }),
      chunk({ reasoning_details: [{ type: "reasoning.text", text: "b" }] }),
      chunk({ reasoning: [], reasoning_details: "c" }),
      chunk({ content: "x" }, "stop"),
    ]);
    expect(response.messages[0]).toMatchObject({ type: "thinking", content: "ab" });
  });

  test("with a refusal is one, whole and streamed", () => {
    const whole = parseResponse(
      { choices: [{ message: { content: "", refusal: "I cannot." }, finish_reason: "stop" }] },
      model,
    );
    expect(whole).toMatchObject({ stop_reason: "refusal", messages: [{ role: "assistant", content: "I cannot." }] });
    expect(stream([chunk({ refusal: "I " }), chunk({ refusal: "cannot." }, "stop")]).response).toEqual(whole);
  });

  test("may have no message when it was filtered", () => {
    expect(parseResponse({ choices: [{ finish_reason: "content_filter" }] }, model)).toMatchObject({
      stop_reason: "content_filter",
      messages: [],
    });
  });

  test("puts up with chunks that say nothing", () => {
    const { response } = stream([
      { choices: [], prompt_filter_results: [] },
      chunk(null),
      "null",
      chunk({ role: "assistant", content: null, tool_calls: null }),
      chunk({ content: "Hi" }),
      chunk(null, "stop"),
      { choices: null, usage },
    ]);
    expect(response).toMatchObject({
      messages: [{ role: "assistant", content: "Hi" }],
      stop_reason: "end_turn",
      usage: { input_tokens: 5 },
    });
  });

  test("reads the first choice only", () => {
    const two = [0, 1].map((index) => ({ index, delta: { content: String(index) } }));
    const { response } = stream([{ choices: two }, chunk({}, "stop")]);
    expect(response.messages).toEqual([{ role: "assistant", content: "0" }]);
  });

  test("with parts has thinking, and goes back as parts", () => {
    const content = [
      { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
      { type: "text", text: "Paris" },
    ];
    const whole = parseResponse({ choices: [{ message: { content }, finish_reason: "stop" }] }, model);
    expect(whole.messages).toMatchObject([
      { type: "thinking", content: "hm" },
      { role: "assistant", content: "Paris" },
    ]);
    expect(sent([user, ...whole.messages])[1]).toEqual({ role: "assistant", content });
    const pieces = [
      chunk({ content: [{ type: "thinking", thinking: [{ type: "text", text: "h" }] }] }),
      chunk({ content: [{ type: "thinking", thinking: [{ type: "text", text: "m" }] }] }),
      chunk({ content: "Paris" }, "stop"),
    ];
    expect(stream(pieces).response).toEqual(whole);
  });

  test("keeps reasoning details, and sends them back as they were", () => {
    const reasoning_details = [
      { type: "reasoning.text", text: "First this", index: 0, format: "f", signature: "s" },
      { type: "reasoning.encrypted", data: "secret", index: 1 },
    ];
    const message = { content: "x", reasoning: "First this", reasoning_details };
    const whole = parseResponse({ choices: [{ message, finish_reason: "stop" }] }, model);
    expect(sent([user, ...whole.messages])[1]).toEqual({ role: "assistant", content: "x", reasoning_details });
    const detail = (fields: Chunk) =>
      chunk({ reasoning_details: [fields], ...(fields.text ? { reasoning: fields.text } : {}) });
    const { response } = stream([
      detail({ type: "reasoning.text", text: "First ", index: 0, format: "f" }),
      detail({ type: "reasoning.text", text: "this", index: 0, format: "f" }),
      detail({ type: "reasoning.text", signature: "s", index: 0, format: "f" }),
      detail({ type: "reasoning.encrypted", data: "secret", index: 1 }),
      chunk({ content: "x" }, "stop"),
    ]);
    expect(response).toEqual(whole);
  });

  test("that ends without finish_reason but with [DONE] is complete", () => {
    expect(stream([chunk({ content: "x" })]).response).toMatchObject({
      stop_reason: "end_turn",
      raw_stop_reason: null,
    });
    expect(stream([piece({ index: 0, ...wireCall("a") })]).response.stop_reason).toBe("tool_use");
  });

  test("that ends with neither is interrupted, with what was said", () => {
    expect(stream([chunk({ content: "Paris" }, "stop")], false).response.stop_reason).toBe("end_turn");
    expect(stream([chunk({ content: "Par" })], false).response).toMatchObject({
      stop_reason: "interrupted",
      error: { kind: "stream_interrupted" },
      messages: [{ role: "assistant", content: "Par" }],
    });
  });

  test("that fails in its middle is an error, with what was said", () => {
    const { response } = stream([chunk({ content: "Par" }), { error: { message: "gone", code: 502 } }]);
    expect(response).toMatchObject({
      stop_reason: "error",
      error: { kind: "server_error", message: "gone", code: "502" },
      messages: [{ role: "assistant", content: "Par" }],
    });
  });

  test("of no choice at all is interrupted, and one that is no JSON unreadable", () => {
    expect(stream([{ choices: [], usage }]).response.error?.kind).toBe("stream_interrupted");
    expect(stream(["<html>"]).response.error?.kind).toBe("invalid_response");
  });
});
