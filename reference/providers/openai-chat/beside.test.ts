// What the openai-chat adapter makes of what servers send beside the text of an answer, and of how they count.

import { expect, test } from "vitest";
import { createReader, parseResponse } from "./index.ts";

const model = "gpt-x";
type Fields = Record<string, unknown>;

function streamed(...chunks: Fields[]) {
  const reader = createReader(model);
  for (const chunk of [...chunks, "[DONE]"])
    reader.push({ data: typeof chunk === "string" ? chunk : JSON.stringify(chunk) });
  return reader.end();
}

const delta = (fields: Fields, more: Fields = {}) => ({ ...more, choices: [{ index: 0, delta: fields }] });
const whole = (message: Fields, more: Fields = {}) =>
  parseResponse({ ...more, choices: [{ message, finish_reason: "stop" }] }, model);
const said = (opaque: Fields) => ({
  role: "assistant",
  content: "Yes.",
  opaque: { provider: "openai-chat", model, ...opaque },
});

test("what the server found stays beside the text, wherever it was named", () => {
  const found = { citations: ["https://example.com/"], search_results: [{ title: "T" }] };
  expect(whole({ content: "Yes." }, found).messages).toEqual([said(found)]);
  expect(streamed(delta({ content: "Ye" }, found), delta({ content: "s." })).messages).toEqual([said(found)]);
  const annotations = [{ type: "url_citation" }];
  expect(whole({ content: "Yes.", annotations }).messages).toEqual([said({ annotations })]);
  expect(streamed(delta({ content: "Yes." }), delta({ annotations })).messages).toEqual([said({ annotations })]);
});

test("how a server numbers and pads its pieces is no part of the answer", () => {
  const pieces = [
    delta({ channel: "analysis", reasoning: "Hm." }),
    delta({ channel: "final", content: "Yes.", token_id: 9, padding: "xx" }),
  ];
  const [, text] = streamed(...pieces).messages;
  expect(text).toEqual({ role: "assistant", content: "Yes." });
  const call = { index: 0, id: "a", function: { name: "look", arguments: "{}" } };
  expect(streamed(delta({ channel: "commentary", tool_calls: [call] })).messages).toEqual([
    { type: "tool_call", id: "a", name: "look", input: {} },
  ]);
});

test("cached input is counted, wherever it is counted", () => {
  const counted = (usage: Fields) => whole({ content: "Yes." }, { usage }).usage?.cache_read_tokens;
  expect(counted({ prompt_tokens_details: { cached_tokens: 1 }, cached_tokens: 2 })).toBe(1);
  expect(counted({ cached_tokens: 2 })).toBe(2);
  expect(counted({ prompt_cache_hit_tokens: 3 })).toBe(3);
  expect(counted({ prompt_tokens: 9 })).toBeNull();
});

test("what is no number of tokens is not counted", () => {
  const counted = (prompt_tokens: unknown) =>
    whole({ content: "Yes." }, { usage: { prompt_tokens } }).usage?.input_tokens;
  expect([0, 1, -1, 1.5, "1", null].map(counted)).toEqual([0, 1, null, null, null, null]);
});

test("reasoning that is counted beside the output is counted in, as far as the total shows it", () => {
  const counted = (usage: Fields) =>
    whole({ content: "Yes." }, { usage: { completion_tokens_details: { reasoning_tokens: 10 }, ...usage } }).usage;
  const usage = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 18 };
  expect(counted(usage)).toMatchObject({ input_tokens: 5, output_tokens: 13, reasoning_tokens: 10 });
  expect(counted({ ...usage, total_tokens: 8 })).toMatchObject({ output_tokens: 3, reasoning_tokens: 10 });
  expect(counted({ prompt_tokens: 5, total_tokens: 15 })?.output_tokens).toBeNull();
});
