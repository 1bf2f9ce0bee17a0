// What a model says beyond the bounds of a run: arguments that nobody can read, and responses that fail.

import { describe, expect, test } from "vitest";
import type { InvokeModel, StreamEvent } from "../../core/ports.ts";
import type { Message, ModelResponse } from "../../../schemas/types.ts";
import { boundsOf } from "../../support/bounds.ts";
import { keepWithinBounds } from "./bounds.ts";

const call = (id: string, input: object = {}): Message => ({ type: "tool_call", id, name: "t", input: { ...input } });
const say = (content: string): Message => ({ role: "assistant", content });
const item = (inner: object): Message => ({ type: "provider_item", provider: "p", item: { inner } });
const whole = (...messages: Message[]): ModelResponse => ({ messages, stop_reason: "tool_use", provider: "p" });
const nested = (depth: number): object => {
  let value: object = {};
  for (let level = 1; level < depth; level += 1) value = { value };
  return value;
};

async function ask(
  model: InvokeModel,
  given: Parameters<typeof boundsOf>[0] = {},
  signal = new AbortController().signal,
) {
  const events: StreamEvent[] = [];
  const bounded = keepWithinBounds(model, boundsOf(given));
  const response = await bounded(
    { messages: [], tools: [] },
    { signal, onStream: (event) => events.push(event), warn() {} },
  );
  return { response, events };
}

/** A model that streams messages until it is left, and says them all in the end. */
const streams =
  (...messages: Message[]): InvokeModel =>
  async (_request, { onStream, signal }) => {
    for (const [index, message] of messages.entries()) {
      if (signal.aborted) return { messages: messages.slice(0, index), stop_reason: "interrupted" };
      onStream({ type: "message_start", index, message });
      onStream({ type: "message_delta", index, delta: "" });
      onStream({ type: "message_end", index, message });
    }
    return whole(...messages);
  };

describe("arguments", () => {
  test.each([2, 400, 5000])("of %i levels more than the bound are their text", async (more) => {
    const { response } = await ask(async () => whole(call("a", nested(3 + more)), call("b", nested(3))), { depth: 3 });
    const [deep, kept] = response.messages as { input: unknown; raw_input?: string; meta?: object }[];
    expect(deep).toMatchObject({ input: null, meta: { unreadable: expect.stringContaining("bounds.depth") } });
    expect(deep!.raw_input).toMatch(/^\{"value":\{"value":/);
    expect(kept).toEqual(call("b", nested(3)));
    expect(response.stop_reason).toBe("tool_use");
  });

  test("keep the text that they have, and are the same in the stream", async () => {
    const written = { ...call("a", nested(9)), raw_input: "as written" } as Message;
    const { response, events } = await ask(streams(written), { depth: 3 });
    expect(response.messages).toMatchObject([{ input: null, raw_input: "as written" }]);
    expect(events).toMatchObject([
      { type: "message_start", message: { input: null } },
      { type: "message_delta" },
      { type: "message_end", message: { input: null } },
    ]);
  });
});

describe("a response beyond a bound", () => {
  const error = (bound: string) => ({
    kind: "invalid_response",
    message: expect.stringContaining(bound),
    provider: "p",
  });

  test("has failed with what came before the first call too many", async () => {
    const { response } = await ask(async () => whole(say("So."), call("a"), call("b"), call("c")), { calls: 2 });
    expect(response).toMatchObject({ stop_reason: "error", error: error("2 (bounds.calls)") });
    expect(response.messages).toEqual([say("So."), call("a"), call("b")]);
  });

  test("is left as soon as it streams a call too many, of which nothing is told", async () => {
    const { response, events } = await ask(streams(call("a"), call("b"), call("c"), call("d")), { calls: 2 });
    expect(response).toMatchObject({ stop_reason: "error", messages: [call("a"), call("b")] });
    expect(response.error?.message).toContain("bounds.calls");
    expect(events.filter(({ type }) => type === "message_start")).toHaveLength(2);
  });

  test("has failed with what came before something nested too deep", async () => {
    const { response, events } = await ask(streams(say("So."), item(nested(9)), say("More.")), { depth: 4 });
    expect(response).toMatchObject({ stop_reason: "error", messages: [say("So.")] });
    expect(response.error?.message).toContain("4 (bounds.depth)");
    expect(events).toHaveLength(3);
    const { response: unstreamed } = await ask(async () => whole(say("So."), item(nested(9))), { depth: 4 });
    expect(unstreamed).toMatchObject({ messages: [say("So.")], error: error("bounds.depth") });
  });
});

test("at its bounds a response is as it came", async () => {
  const messages = [call("a", nested(4)), call("b"), item(nested(3))];
  const { response } = await ask(async () => whole(...messages), { calls: 2, depth: 4 });
  expect(response).toEqual(whole(...messages));
});

test("a cancel reaches the provider, and leaves no listener", async () => {
  const cancel = new AbortController();
  const waits: InvokeModel = (_request, { signal }) =>
    new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve({ messages: [], stop_reason: "interrupted" }));
      cancel.abort();
    });
  expect((await ask(waits, {}, cancel.signal)).response.stop_reason).toBe("interrupted");
});
