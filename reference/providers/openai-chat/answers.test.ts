// What the openai-chat adapter makes of whole answers that are not as the API writes them.

import { describe, expect, test } from "vitest";
import { parseResponse } from "./index.ts";
import { readDetail } from "./response.ts";

const model = "gpt-x";
const own = { provider: "openai-chat", model };
const answered = (message: Record<string, unknown>, finish_reason: string | null = "stop") =>
  parseResponse({ choices: [{ message, finish_reason }] }, model);

describe("an answer that is none", () => {
  test("says what was expected", () => {
    const problem = (body: unknown) => parseResponse(body, model).error;
    expect(problem("<html>")).toMatchObject({ kind: "invalid_response", message: expect.stringContaining("JSON") });
    const choiceless = { kind: "invalid_response", message: expect.stringContaining("a completion with a choice") };
    for (const body of [null, {}, { choices: [] }, { choices: ["x"] }, { choices: [{ message: "x" }] }])
      expect(problem(body)).toMatchObject(choiceless);
  });

  test("keeps what was said before it failed, wherever the failure is", () => {
    const error = { message: "gone", code: 502 };
    const choice = { message: { content: "Par" }, finish_reason: "stop" };
    const failed = {
      stop_reason: "error",
      messages: [{ role: "assistant", content: "Par" }],
      error: { kind: "server_error", message: "gone", code: "502" },
    };
    expect(parseResponse({ choices: [{ ...choice, error }] }, model)).toMatchObject(failed);
    expect(parseResponse({ choices: [choice], error }, model)).toMatchObject(failed);
  });

  test("says so where only its finish_reason does", () => {
    const { stop_reason, error } = answered({ content: "Par" }, "error");
    expect(stop_reason).toBe("error");
    expect(error?.message).toContain("finish_reason error");
  });
});

describe("an answer with calls", () => {
  const call = { id: "a", type: "function", function: { name: "look", arguments: "{}" } };

  test("asks for their results, whatever it says beside them and nothing of why it ends", () => {
    expect(answered({ content: "I look.", tool_calls: [call] }, null).stop_reason).toBe("tool_use");
  });

  test("may have the one of the old form", () => {
    const { messages } = answered({ function_call: { name: "look", arguments: '{"at":1}' } }, "function_call");
    expect(messages).toEqual([{ type: "tool_call", id: "", name: "look", input: { at: 1 } }]);
    const { messages: none } = answered({ content: "Done.", function_call: { name: "", arguments: "" } });
    expect(none).toEqual([{ role: "assistant", content: "Done." }]);
  });

  test("has no arguments where an empty list stands for them, and broken ones where a list has something", () => {
    const asked = (written: unknown) =>
      answered({ tool_calls: [{ id: "a", function: { name: "look", arguments: written } }] });
    expect(asked([]).messages).toEqual([{ type: "tool_call", id: "a", name: "look", input: {} }]);
    expect(asked([1]).messages).toEqual([{ type: "tool_call", id: "a", name: "look", input: null, raw_input: "[1]" }]);
  });

  test("keeps what a server adds to one, for the way back", () => {
    const extra_content = { signature: "abc" };
    const custom = { id: "b", custom: { name: "patch", input: "*" } };
    const { messages } = answered({ tool_calls: [call, { ...call, extra_content }, custom] }, "tool_calls");
    expect(messages[0]).not.toHaveProperty("opaque");
    expect(messages[1]).toMatchObject({ name: "look", input: {}, opaque: { ...own, extra_content } });
    expect(messages[2]).toMatchObject({ name: "patch", input: { input: "*" }, opaque: { ...own, type: "custom" } });
  });
});

describe("an answer in parts", () => {
  test("keeps what is no text as items, and what is no part not at all", () => {
    const image = { type: "image_url", text: "a cat", thinking: "of cats" };
    const { messages } = answered({ content: ["x", { type: "text", text: "See." }, { type: "text" }, image] });
    expect(messages).toEqual([
      { type: "provider_item", ...own, item: image },
      { role: "assistant", content: "See." },
    ]);
  });

  test("keeps what stands beside a text that is empty", () => {
    const annotations = [{ type: "url_citation" }];
    const { messages } = answered({ content: null, annotations });
    expect(messages).toEqual([{ type: "provider_item", ...own, item: { type: "message", annotations } }]);
  });

  test("has the thoughts that somebody can read", () => {
    expect([readDetail("x"), readDetail({ data: "gAAA" })]).toEqual(["", ""]);
    const part = (thinking: unknown) => ({ type: "thinking", thinking });
    const pieces = ["x", { type: "text", text: "I " }, { type: "reference", reference_ids: [1] }];
    const { messages: parts } = answered({ content: [part(pieces), part("see."), part(7)] });
    expect(parts).toEqual([{ type: "thinking", content: "I see.", opaque: { ...own, field: "content" } }]);
    const { messages } = answered({ reasoning_details: [{ data: "gAAA" }] });
    expect(messages).toMatchObject([{ type: "thinking", content: "" }]);
    const { messages: read } = answered({ reasoning_details: [{ text: "I " }, { summary: "see." }] });
    expect(read).toMatchObject([{ type: "thinking", content: "I see." }]);
  });
});
