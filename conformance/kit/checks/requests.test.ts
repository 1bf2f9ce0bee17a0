// What is wrong with a request that its provider takes.

import { expect, test } from "vitest";
import type { GenericRequest } from "../wire/codec.ts";
import { checkLetters } from "./requests.ts";

const saying = (content: string, description: string): Pick<GenericRequest, "messages" | "tools"> => ({
  messages: [{ role: "user", content }],
  tools: [{ name: "look", description, input_schema: { type: "object" } }],
});

test("half of a surrogate pair is found wherever it is sent, and a whole one is a letter", () => {
  expect(checkLetters(saying("a \ud83d\ude00", "Looks."), 1)).toEqual([]);
  expect(checkLetters(saying("cut \ud83d", "\ude00"), 2)).toEqual([
    {
      code: "invariant",
      requirement: "PROVIDER-12",
      message: "model request 2 has half of a surrogate pair in messages.0.content, tools.0.description",
      path: "/messages/0/content",
    },
  ]);
});
