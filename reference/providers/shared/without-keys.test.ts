// What an adapter tells of a failure has no key in it, whoever wrote it there.

import { expect, test } from "vitest";
import { failedResponse } from "./http-error.ts";
import { keyOf, withoutKeys } from "./without-keys.ts";

const key = "crafted-key-0123456789";
const told = (message: string, used?: string) =>
  withoutKeys(failedResponse({ kind: "authentication", message }), used).error?.message;

test.each([
  ["whole", `Wrong key: ${key}.`, "Wrong key: [redacted]."],
  ["twice", `${key} ${key}`, "[redacted] [redacted]"],
  ["cut off", `Wrong key: ${key.slice(0, 15)}…`, "Wrong key: [redacted]…"],
  ["masked", `Wrong key: ${key.slice(0, 13)}****6789`, "Wrong key: [redacted]****6789"],
])("the key in use is replaced: %s", (_, message, expected) => {
  expect(told(message, key)).toBe(expected);
});

test.each([
  ["an OpenAI key", `sk-proj-${"a1".repeat(10)}`],
  ["an AWS key id", `AKIA${"A1".repeat(8)}`],
  ["a JSON web token", `eyJ${"a1".repeat(5)}.eyJ${"b2".repeat(5)}.c3`],
])("what looks like a key is replaced: %s", (_, shape) => {
  expect(told(`Key ${shape}, refused.`)).toBe("Key [redacted], refused.");
  expect(told(`authorization: Bearer ${"x9".repeat(10)}`)).toBe("authorization: Bearer [redacted]");
});

test("a short key is replaced whole, and words that only begin like a key stay", () => {
  expect(told("The key abc is wrong, abcd too.", "abc")).toBe("The key [redacted] is wrong, abcd too.");
  expect(told("sk-learn is no model.")).toBe("sk-learn is no model.");
});

test("the code of an error has no key; what the model said stays", () => {
  const messages = [{ role: "assistant" as const, content: key }];
  const response = failedResponse({ kind: "server_error", message: "m", code: key }, { messages });
  expect(withoutKeys(response, key)).toMatchObject({ messages, error: { code: "[redacted]" } });
});

test("the key of a client is that of its API, or its token", () => {
  expect(keyOf({ apiKey: "a", authToken: "b" })).toBe("a");
  expect(keyOf({ apiKey: null, authToken: "b" })).toBe("b");
  expect(keyOf({})).toBeUndefined();
});
