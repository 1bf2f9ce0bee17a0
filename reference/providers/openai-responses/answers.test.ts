// What the openai-responses adapter makes of whole answers, field by field, and of those that it cannot read.

import { describe, expect, test } from "vitest";
import { parseResponse } from "./index.ts";

type Fields = Record<string, unknown>;

const model = "gpt-x";
const own = { provider: "openai-responses", model };
const text = { type: "output_text", text: "Yes." };
const message = { type: "message", role: "assistant", status: "completed", content: [text] };
const call = { type: "function_call", call_id: "call_1", name: "look", arguments: "{}", status: "completed" };
const body = (output: Fields[], more: Fields = {}): Fields => ({
  object: "response",
  status: "completed",
  output,
  ...more,
});

function messagesOf(...output: Fields[]) {
  return parseResponse(body(output), model).messages;
}

describe("a message", () => {
  test("has nothing opaque where its item says no more than the message", () => {
    const idle = { phase: null, namespace: undefined, note: "" };
    expect(messagesOf({ ...message, ...idle }, { ...call, ...idle })).toStrictEqual([
      { role: "assistant", content: "Yes." },
      { type: "tool_call", id: "call_1", name: "look", input: {} },
    ]);
  });

  test("has what its item says, and of a status that it is not the usual one", () => {
    const says = { phase: "completed", status: "incomplete" };
    expect(messagesOf({ ...message, ...says })).toStrictEqual([
      { role: "assistant", content: "Yes.", opaque: { ...own, ...says } },
    ]);
  });

  test("that is thinking has the id of its response only where that was stored", () => {
    const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "e" };
    const opaque = { ...own, id: "rs_1", encrypted_content: "e" };
    expect(messagesOf(reasoning)).toStrictEqual([{ type: "thinking", content: "", opaque }]);
    const stored = parseResponse(body([reasoning], { id: "resp_1" }), model).messages;
    expect(stored).toStrictEqual([{ type: "thinking", content: "", opaque: { ...opaque, response_id: "resp_1" } }]);
  });

  test.each(["user", "system", "developer"])("of the role %s is an item of the provider", (role) => {
    const item = { ...message, role };
    expect(messagesOf(item)).toStrictEqual([{ type: "provider_item", ...own, item }]);
  });

  test("has no part that is not an object", () => {
    expect(messagesOf({ ...message, content: [null, "No.", text] })).toStrictEqual([
      { role: "assistant", content: "Yes." },
    ]);
  });
});

test("an answer is not cut off for a reason that it gives without saying that it is incomplete", () => {
  const response = parseResponse(body([message], { incomplete_details: { reason: "max_output_tokens" } }), model);
  expect(response).toMatchObject({ stop_reason: "end_turn", raw_stop_reason: "completed" });
});

test.each([
  [0, 0],
  [-1, null],
  [0.5, null],
  ["9", null],
])("usage of %j tokens is %j", (tokens, expected) => {
  const { usage } = parseResponse(body([], { usage: { input_tokens: tokens } }), model);
  expect(usage?.input_tokens).toBe(expected);
});

describe("an answer that cannot be read", () => {
  test.each([
    ["<html>", "a JSON response", "<html>"],
    ["null", "a response with output", "null"],
    ['{"output":["x"]}', "a response with output", '{"output":["x"]}'],
  ])("as %s says what was expected", (came, expected, shown) => {
    const message = `expected ${expected} from openai-responses, got: ${shown}`;
    expect(parseResponse(came, model)).toMatchObject({
      stop_reason: "error",
      error: { kind: "invalid_response", message },
    });
  });

  test.each([
    [{ error: { type: "invalid_request_error", message: "m" } }, "invalid_request"],
    [{ code: "x", error: "Model not found" }, "server_error"],
    [body([], { status: "failed", error: { code: "rate_limit_exceeded", message: "m" } }), "rate_limit"],
    [body([], { status: "failed", error: null }), "server_error"],
  ])("because it is the error %j is of its kind", (said, kind) => {
    expect(parseResponse(JSON.stringify(said), model)).toMatchObject({ stop_reason: "error", error: { kind } });
  });
});
