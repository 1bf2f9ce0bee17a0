// What is wrong with a request that its provider takes.

import { expect, test } from "vitest";
import type { InitializeResult } from "../../../schemas/types.ts";
import type { GenericRequest } from "../wire/codec.ts";
import { codecs } from "../wire/codecs.ts";
import { checkLetters } from "./requests.ts";

const saying = (content: string, description: string): Pick<GenericRequest, "messages" | "tools"> => ({
  messages: [{ role: "user", content }],
  tools: [{ name: "look", description, input_schema: { type: "object" } }],
});

const driver: InitializeResult = {
  protocol: 1,
  implementation: { name: "some-loop", version: "1", language: "python" },
  seams: ["gemini"],
};
const { gemini, "openai-chat": chat } = codecs;
const cut = saying("cut \ud83d", "\ude00");

test("half of a surrogate pair is found wherever it is sent, and a whole one is a letter", () => {
  expect(checkLetters(saying("a \ud83d\ude00", "Looks."), gemini, driver, 1)).toEqual([]);
  expect(checkLetters(cut, gemini, driver, 2)).toEqual([
    {
      code: "invariant",
      requirement: "PROVIDER-12",
      message: "model request 2 has half of a surrogate pair in messages.0.content, tools.0.description",
      path: "/messages/0/content",
    },
  ]);
});

test("it is not found twice where the provider refuses it, nor in a loop that is judged by its requests alone", () => {
  expect(checkLetters(cut, chat, driver, 1)).toEqual([]);
  expect(checkLetters(cut, gemini, { ...driver, level: "wire" }, 1)).toEqual([]);
});
