// What the anthropic-messages adapter makes of answers that are empty, strange or cut off in parts.

import { expect, test } from "vitest";
import { parseResponse } from "./index.ts";
import { toMessage } from "./response.ts";

const model = "claude-x";
const own = { provider: "anthropic-messages", model };
const messageOf = (fields: Record<string, unknown>, json?: string) =>
  toMessage({ fields, ...(json !== undefined && { json }) }, model);

test("an answer that is none says what was expected", () => {
  const problem = (body: unknown) => parseResponse(body, model).error?.message;
  expect(problem("<html>")).toContain("a JSON message");
  expect(problem({ content: ["x"] })).toContain("a message with content");
});

test("a text that is empty or none is no message", () => {
  expect(messageOf({ type: "text", text: "" })).toBeUndefined();
  expect(messageOf({ type: "text", text: 7 })).toBeUndefined();
  expect(messageOf({ type: "text", text: "Hi." })).toEqual({ role: "assistant", content: "Hi." });
});

test("a thought that says nothing is kept for its signature alone", () => {
  expect(messageOf({ type: "thinking", thinking: "", signature: "" })).toBeUndefined();
  expect(messageOf({ type: "thinking", thinking: 7, signature: 7 })).toBeUndefined();
  const signed = messageOf({ type: "thinking", thinking: "", signature: "s" });
  expect(signed).toEqual({ type: "thinking", content: "", opaque: { ...own, signature: "s" } });
  const unsigned = messageOf({ type: "thinking", thinking: "So.", signature: "" });
  expect(unsigned).toEqual({ type: "thinking", content: "So.", opaque: own });
});

test("a call has no arguments where nobody wrote any, and no names where they are none", () => {
  const call = { type: "tool_call", id: "a", name: "look", input: {} };
  const fields = { type: "tool_use", id: "a", name: "look" };
  expect(messageOf({ ...fields, input: {} }, "  ")).toEqual(call);
  expect(messageOf(fields)).toEqual(call);
  expect(messageOf({ type: "tool_use", id: 7, name: 7, input: {} })).toEqual({ ...call, id: "", name: "" });
});

test("arguments that came as an object have no text that somebody wrote", () => {
  const input = { id: 2 ** 64 };
  const call = { type: "tool_call", id: "a", name: "look", input };
  expect(messageOf({ type: "tool_use", id: "a", name: "look", input })).toEqual(call);
});

test("only what says something stays beside a block", () => {
  const rest = { caller: { type: "direct" }, empty: [], nothing: null, missing: undefined };
  const text = { type: "text", text: "Hi." };
  expect(messageOf({ ...text, ...rest })).toEqual({ role: "assistant", content: "Hi." });
  const said = { caller: { type: "code" }, other: { type: "direct" } };
  expect(messageOf({ ...text, ...said })).toEqual({ role: "assistant", content: "Hi.", opaque: { ...own, ...said } });
});

test("an item of the server keeps arguments that were cut off as they are", () => {
  const fields = { type: "server_tool_use", id: "s", input: {} };
  expect(messageOf(fields, '{"q":')).toEqual({ type: "provider_item", ...own, item: { ...fields, input: '{"q":' } });
});
