// What holds for every session, whatever is in it: the same bytes each time, a stable beginning, and every call answered.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as anthropic from "./anthropic-messages.ts";
import * as openai from "./openai-chat.ts";
import type { Message } from "../types.ts";

const model = "m";
const adapters = [
  ["anthropic-messages", anthropic],
  ["openai-chat", openai],
] as const;

const text = fc.string({ minLength: 1, maxLength: 8, unit: "binary" });
const said: fc.Arbitrary<Message> = fc.oneof(
  text.map((content): Message => ({ role: "assistant", content })),
  fc.constantFrom("anthropic-messages", "openai-chat").chain((provider) =>
    text.map((content): Message => ({
      type: "thinking",
      content,
      opaque: { provider, model, signature: "s", field: "reasoning" },
    })),
  ),
  fc
    .constantFrom("anthropic-messages", "openai-chat")
    .map((provider): Message => ({ type: "provider_item", provider, model, item: { type: "x" } })),
);
const called = fc.record({
  name: fc.constantFrom("look", "a b"),
  input: fc.option(fc.dictionary(text, fc.integer())),
  is_error: fc.boolean(),
});

/** One turn: what the user says, what the model says, its calls and their results. Ids are made unique by `place`. */
const turn = fc.tuple(
  fc.array(text, { minLength: 1, maxLength: 2 }),
  fc.array(said, { maxLength: 3 }),
  fc.array(called, { minLength: 1, maxLength: 3 }),
);
const session = fc.array(turn, { minLength: 1, maxLength: 4 }).map((turns) =>
  turns.map(([users, model_, calls], place) => [
    ...users.map((content): Message => ({ role: "user", content: `${content}.` })),
    ...model_,
    ...calls.map(({ name, input }, at): Message => ({
      type: "tool_call",
      id: `c/${place}/${at}`,
      name,
      input,
      ...(input === null && { raw_input: "[" }),
    })),
    ...calls.map(({ is_error }, at): Message => ({
      type: "tool_result",
      id: `c/${place}/${at}`,
      output: "ok",
      is_error,
    })),
  ]),
);

describe.each(adapters)("a request of %s", (_name, adapter) => {
  const render = (messages: Message[]) =>
    JSON.stringify(adapter.renderRequest({ messages, tools: [] }, { model }).body.messages);

  test("is the same each time, and begins as the one before it", () => {
    fc.assert(
      fc.property(session, (turns) => {
        const whole = render(turns.flat());
        expect(render(structuredClone(turns.flat()))).toBe(whole);
        const before = render(turns.slice(0, -1).flat());
        expect(whole.startsWith(before.replace(/[\]}]+$/, ""))).toBe(true);
      }),
    );
  });

  test("answers each call once, in order, and is well formed", () => {
    fc.assert(
      fc.property(session, (turns) => {
        const bytes = render(turns.flat());
        expect(bytes.isWellFormed() && !/\\ud[89a-f]/i.test(bytes)).toBe(true);
        const asked = [...bytes.matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id);
        const answered = [...bytes.matchAll(/"tool_(?:use|call)_id":"([^"]+)"/g)].map(([, id]) => id);
        expect(answered).toEqual(asked);
        expect(new Set(asked).size).toBe(asked.length);
      }),
    );
  });

  test("does not change what it is given", () => {
    fc.assert(
      fc.property(session, (turns) => {
        const copy = structuredClone(turns.flat());
        render(turns.flat());
        expect(turns.flat()).toEqual(copy);
      }),
    );
  });
});
