// What a case writes in short goes over the wire as the provider sends it.

import { expect, test } from "vitest";
import type { Case, ModelEntry } from "../../../schemas/types.ts";
import { readScript } from "./script.ts";

/** What is written for the events of the second answer. */
function written(sse: NonNullable<ModelEntry["sse"]>): string[] {
  const [, step] = readScript({ model: [{ text: "First." }, { sse }] } as unknown as Case, "r7", "sse", "gpt-replay");
  return step!.kind === "wire" ? step!.answer.writes.map(({ text }) => text) : [];
}

/** The chunks that are written, without what is around their choices. */
function choices(sse: NonNullable<ModelEntry["sse"]>): unknown[] {
  return written(sse).map((text) => (JSON.parse(text.slice("data: ".length)) as { choices: unknown }).choices);
}

test("an event in short has its type as its name", () => {
  const data = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "a" } };
  expect(written([{ named: data }])).toEqual(written([{ event: "content_block_delta", data }]));
});

test("a chunk in short has one choice, the first, that goes on", () => {
  expect(choices([{ delta: { content: "a" } }])).toEqual([
    [{ index: 0, delta: { content: "a" }, finish_reason: null }],
  ]);
  expect(choices([{ delta: {}, finish_reason: "stop", index: 1 }])).toEqual([
    [{ index: 1, delta: {}, finish_reason: "stop" }],
  ]);
});

test("the chunks of an answer have the same around them, with an id that no other answer has", () => {
  const [first, second] = written([{ delta: { content: "a" } }, { delta: { content: "a" } }]);
  expect(first).toBe(second);
  expect(first).toMatch(
    /^data: \{"id":"chatcmpl-r7-2","object":"chat\.completion\.chunk","created":\d+,"model":"gpt-replay",/,
  );
  expect(first).toMatch(/\}\n\n$/);
});
