// What two loops may say differently in a body, and what they may not.

import { expect, it } from "vitest";
import { withoutOwnWords } from "./own-words.ts";

const given = JSON.stringify({ task: "Go to Paris.", tool: "look" });
const of = (value: unknown) => withoutOwnWords(value, given);

it("takes a sentence that the case does not have for the loop's own, and keeps its names and its texts", () => {
  expect(of({ role: "user", content: "Go to Paris." })).toEqual({ content: "Go to Paris.", role: "user" });
  expect(of({ content: "It was not executed." })).toEqual(of({ content: "Nobody has executed it." }));
  expect(of({ name: "look" })).not.toEqual(of({ name: "write" }));
});

it("reads JSON in a text, whatever the order and the blanks in it", () => {
  expect(of('{"a": 1, "b": 2}')).toEqual(of('{"b":2,"a":1}'));
  expect(of('{"a": 1}')).not.toEqual(of('{"a": 2}'));
  expect(of('{"a": ')).toBe("…");
});

it("leaves out what holds anyway, and what a loop says beside a part", () => {
  expect(of({ tool_choice: { type: "auto" }, model: "m" })).toEqual({ model: "m" });
  expect(of({ tool_choice: { type: "any" }, model: "m" })).toHaveProperty("tool_choice");
  const image = { type: "image", data: "aaaa" };
  expect(of([{ type: "text", text: "The image of a call:" }, image])).toEqual(of([image]));
  expect(of([{ type: "text", text: "Go to Paris." }, image])).not.toEqual(of([image]));
});
