// What the anthropic-messages adapter makes of answers, whole and streamed.

import { describe, expect, test } from "vitest";
import { createReader, parseResponse, renderRequest } from "./index.ts";
import type { StreamEvent } from "../../core/ports.ts";
import type { Message } from "../../../schemas/types.ts";

const model = "claude-x";
const user: Message = { role: "user", content: "Hello" };

function bodyOf(messages: Message[]) {
  return renderRequest({ messages, tools: [] }, { model }).body;
}

function sent(messages: Message[]) {
  return bodyOf(messages).messages as { role: string; content: Record<string, unknown>[] }[];
}

/** Reads a stream of these events; the last ones may be missing. */
function stream(events: Record<string, unknown>[]) {
  const heard: StreamEvent[] = [];
  const reader = createReader(model, (event) => heard.push(event));
  for (const event of events) if (!reader.push({ data: JSON.stringify(event) })) break;
  return { response: reader.end(), heard };
}

const begin = {
  type: "message_start",
  message: { content: [], model: "claude-x-1", usage: { input_tokens: 5, cache_read_input_tokens: 7 } },
};
const stop = (word: string) => [
  { type: "message_delta", delta: { stop_reason: word }, usage: { output_tokens: 3 } },
  { type: "message_stop" },
];
const block = (index: number, content_block: object) => ({ type: "content_block_start", index, content_block });
const delta = (index: number, piece: object) => ({ type: "content_block_delta", index, delta: piece });

describe("an answer", () => {
  const content = [
    { type: "thinking", thinking: "hm", signature: "sig" },
    { type: "redacted_thinking", data: "secret" },
    { type: "text", text: "Seen", citations: [{ type: "char_location", cited_text: "x" }] },
    { type: "server_tool_use", id: "s", name: "web_search", input: { query: "q" } },
    { type: "web_search_tool_result", tool_use_id: "s", content: [] },
    { type: "tool_use", id: "t", name: "look", input: { at: 1 }, caller: { type: "direct" } },
  ];
  const usage = { input_tokens: 5, cache_read_input_tokens: 7, output_tokens: 3 };

  test("goes back as the blocks that it came as", () => {
    const { messages } = parseResponse({ content, stop_reason: "tool_use", usage }, model);
    const { caller: _caller, ...bare } = content[5] as Record<string, unknown>;
    expect(sent([user, ...messages])[1]?.content).toEqual([...content.slice(0, 5), bare]);
  });

  test("says the same whole and streamed", () => {
    const { response } = stream([
      begin,
      block(0, { type: "thinking", thinking: "", signature: "" }),
      delta(0, { type: "thinking_delta", thinking: "hm" }),
      delta(0, { type: "signature_delta", signature: "sig" }),
      block(1, content[1]!),
      block(2, { type: "text", text: "", citations: [] }),
      delta(2, { type: "citations_delta", citation: { type: "char_location", cited_text: "x" } }),
      delta(2, { type: "text_delta", text: "Seen" }),
      block(3, { type: "server_tool_use", id: "s", name: "web_search", input: {} }),
      block(4, content[4]!),
      block(5, { type: "tool_use", id: "t", name: "look", input: {} }),
      delta(3, { type: "input_json_delta", partial_json: '{"query":' }),
      delta(5, { type: "input_json_delta", partial_json: '{"at"' }),
      delta(3, { type: "input_json_delta", partial_json: '"q"}' }),
      delta(5, { type: "input_json_delta", partial_json: ":1}" }),
      ...stop("tool_use"),
    ]);
    expect(response).toEqual(parseResponse({ content, stop_reason: "tool_use", usage, model: "claude-x-1" }, model));
    expect(response).toMatchObject({
      stop_reason: "tool_use",
      model: "claude-x-1",
      usage: { input_tokens: 12, output_tokens: 3 },
    });
  });

  test("may begin with whole blocks", () => {
    const started = { ...begin.message, content: [content[5]], stop_reason: "tool_use" };
    const { response } = stream([{ type: "message_start", message: started }, { type: "message_stop" }]);
    expect(response.messages).toEqual([{ type: "tool_call", id: "t", name: "look", input: { at: 1 } }]);
  });

  test("keeps the digits of large numbers, whole and streamed, and sends them back", () => {
    const input = '{"id":12345678901234567890}';
    const whole = parseResponse(
      `{"content":[{"type":"tool_use","id":"t","name":"look","input":${input}}],"stop_reason":"tool_use"}`,
      model,
    );
    const { response } = stream([
      begin,
      block(0, { type: "tool_use", id: "t", name: "look", input: {} }),
      delta(0, { type: "input_json_delta", partial_json: input }),
      ...stop("tool_use"),
    ]);
    expect(whole.messages).toEqual(response.messages);
    expect(whole.messages[0]).toMatchObject({ raw_input: input });
    expect(JSON.stringify(sent([user, ...whole.messages]))).toContain(`"input":${input}`);
  });

  test.each([
    ["pause_turn", "pause"],
    ["refusal", "refusal"],
    ["model_context_window_exceeded", "context_window_exceeded"],
    ["a_new_word", "other"],
  ])("with stop reason %s stops with %s", (word, expected) => {
    expect(parseResponse({ content: [], stop_reason: word }, model)).toMatchObject({
      stop_reason: expected,
      raw_stop_reason: word,
    });
  });

  test("keeps its container for the next request", () => {
    const { messages } = parseResponse(
      { content: [{ type: "text", text: "x" }], stop_reason: "end_turn", container: { id: "c1" } },
      model,
    );
    expect(bodyOf([user, ...messages, user]).container).toBe("c1");
  });

  test("that breaks off is interrupted, with what was said", () => {
    const { response, heard } = stream([
      begin,
      block(0, { type: "text", text: "" }),
      delta(0, { type: "text_delta", text: "Par" }),
      block(1, { type: "tool_use", id: "t", name: "look", input: {} }),
      delta(1, { type: "input_json_delta", partial_json: '{"a' }),
    ]);
    expect(response).toMatchObject({
      stop_reason: "interrupted",
      error: { kind: "stream_interrupted" },
      messages: [
        { role: "assistant", content: "Par" },
        { type: "tool_call", id: "t", input: null, raw_input: '{"a' },
      ],
    });
    expect(heard.filter(({ type }) => type === "message_start")).toHaveLength(2);
    expect(heard.filter(({ type }) => type === "message_end")).toHaveLength(2);
  });

  test("that fails in its middle is an error, with what was said", () => {
    const { response } = stream([
      begin,
      block(0, { type: "text", text: "Hi" }),
      { type: "error", error: { type: "overloaded_error", message: "busy" } },
    ]);
    expect(response).toMatchObject({
      stop_reason: "error",
      error: { kind: "overloaded", code: "overloaded_error", message: "busy" },
      messages: [{ role: "assistant", content: "Hi" }],
    });
  });

  test.each([
    ["not JSON", "<html>"],
    ["no message", "{}"],
    ["a list", "[]"],
  ])("that is %s is unreadable", (_what, body) => {
    expect(parseResponse(body, model)).toMatchObject({ stop_reason: "error", error: { kind: "invalid_response" } });
  });

  test("with status 200 that is an error is that error", () => {
    const body = { type: "error", error: { type: "rate_limit_error", message: "slow" } };
    expect(parseResponse(body, model).error).toMatchObject({ kind: "rate_limit", message: "slow" });
  });
});

test.each([[5], [null], [{ type: null }]])("a block that is %j is unreadable, whole and streamed", (content_block) => {
  const { response } = stream([begin, block(0, content_block as object), ...stop("end_turn")]);
  const whole = parseResponse({ content: [content_block], stop_reason: "end_turn" }, model);
  for (const { error } of [response, whole]) expect(error?.kind).toBe("invalid_response");
});

test("a stop reason is no property of objects", () => {
  expect(parseResponse({ content: [], stop_reason: "toString" }, model).stop_reason).toBe("other");
});

test("a piece of an unknown type is told as it is kept, and no piece makes a text something else", () => {
  const { response, heard } = stream([
    begin,
    block(0, { type: "text", text: "" }),
    delta(0, { type: "text_delta", text: "a" }),
    delta(0, { type: "new_delta", text: "b" }),
    delta(0, { type: "text_delta", text: [] }),
    ...stop("end_turn"),
  ]);
  expect(response.messages).toEqual([{ role: "assistant", content: "ab" }]);
  expect(heard.map((event) => event.type === "message_delta" && event.delta)).toEqual([false, "a", "b", false]);
});
