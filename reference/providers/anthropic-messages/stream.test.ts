// What the anthropic-messages adapter makes of streams that are not what the API says they are.

import { expect, test } from "vitest";
import { createReader } from "./index.ts";
import type { StreamEvent } from "../../core/ports.ts";
import type { SentEvent } from "../shared/receive.ts";

/** Reads a stream of these events; what is no event yet is its data. */
function stream(...events: (SentEvent | { type: string; [field: string]: unknown })[]) {
  const heard: StreamEvent[] = [];
  const reader = createReader("claude-x", (event) => heard.push(event));
  for (const event of events) {
    const sent = "type" in event ? { data: JSON.stringify(event) } : (event as SentEvent);
    if (!reader.push(sent)) break;
  }
  return { response: reader.end(), heard };
}

const begin = { type: "message_start", message: { content: [] } };
const start = (index: number, content_block?: object) => ({ type: "content_block_start", index, content_block });
const text = (index: number, piece: string) => {
  return { type: "content_block_delta", index, delta: { type: "text_delta", text: piece } };
};
const end = (index: number) => ({ type: "content_block_stop", index });
const stop = { type: "message_stop" };

test("a message may begin without a list of blocks", () => {
  const { response } = stream({ type: "message_start", message: {} }, start(0, { type: "text", text: "Hi." }), stop);
  expect(response.messages).toEqual([{ role: "assistant", content: "Hi." }]);
  expect(response.error).toBeUndefined();
});

test.each([
  [undefined, "none"],
  [{ text: "Hi." }, '{"text":"Hi."}'],
])("a block that is %j says what was expected and what came", (block, came) => {
  const { response } = stream(begin, start(0, block), stop);
  expect(response.error?.message).toBe(`expected a content block with a type from anthropic-messages, got: ${came}`);
});

test("a block that begins twice is one block, and has one end", () => {
  const again = start(0, { type: "text", text: "" });
  const { response, heard } = stream(
    begin,
    start(0, { type: "text", text: "" }),
    text(0, "a"),
    again,
    text(0, "b"),
    stop,
  );
  expect(response.messages).toEqual([{ role: "assistant", content: "ab" }]);
  expect(heard.map(({ type }) => type)).toEqual(["message_start", "message_delta", "message_delta", "message_end"]);
});

// As the API once did: https://github.com/anthropics/anthropic-sdk-typescript/issues/879
test("a block that begins under the index of one that ended is another one", () => {
  const found = { type: "web_search_tool_result", tool_use_id: "s", content: [] };
  const { response } = stream(
    begin,
    start(1, found),
    end(1),
    start(1, { type: "text", text: "" }),
    text(1, "Hi."),
    stop,
  );
  expect(response.messages).toMatchObject([{ item: found }, { content: "Hi." }]);
});

test("an event that the answer is not made of may say anything", () => {
  const hello = start(0, { type: "text", text: "Hi." });
  const { response } = stream(begin, { event: "ping", data: "" }, { event: "weather", data: "[1]" }, hello, stop);
  expect(response.messages).toEqual([{ role: "assistant", content: "Hi." }]);
  expect(response.error).toBeUndefined();
});

test.each([
  undefined,
  "message_start",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
  "message_stop",
  "error",
])("an event %s whose data is no JSON is unreadable", (event) => {
  const { response } = stream(begin, { event, data: "<html>" }, stop);
  expect(response.error).toMatchObject({
    kind: "invalid_response",
    message: "expected events with JSON data from anthropic-messages, got: <html>",
  });
});

test("a message has its end when its block has, and not before the next begins", () => {
  const { heard } = stream(
    begin,
    start(0, { type: "text", text: "" }),
    text(0, "a"),
    end(0),
    start(1, { type: "text", text: "b" }),
    end(1),
    { type: "message_delta", delta: { stop_reason: "end_turn" } },
    stop,
  );
  expect(heard.map(({ type, index }) => `${type} ${index}`)).toEqual([
    "message_start 0",
    "message_delta 0",
    "message_end 0",
    "message_start 1",
    "message_delta 1",
    "message_end 1",
  ]);
});

test("nothing is read after the answer has ended or failed, and what is no delta changes nothing", () => {
  const late = start(0, { type: "text", text: "late" });
  expect(stream(begin, stop, late).response.messages).toEqual([]);
  expect(stream(begin, { type: "error", error: { type: "api_error", message: "x" } }, late).response.messages).toEqual(
    [],
  );
  const odd = { type: "content_block_delta", index: 0, delta: "odd" };
  const { response } = stream(begin, odd, start(0, { type: "text", text: "a" }), odd, end(1), stop);
  expect(response.messages).toEqual([{ role: "assistant", content: "a" }]);
});

test("a stream that is lost says so, in the words of whoever lost it", () => {
  const lost = stream(begin, start(0, { type: "text", text: "a" })).response;
  expect(lost.error?.message).toContain("the stream ended without message_stop");
  expect(lost.messages).toEqual([{ role: "assistant", content: "a" }]);
});
