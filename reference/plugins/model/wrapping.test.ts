// What wraps the model: pauses are continued, and a response that is cut off keeps what was heard of it.

import { keepPartialResponse } from "./partial-response.ts";
import { continuePaused } from "./paused-responses.ts";
import { describe, expect, it } from "vitest";

import type { InvokeModel, StreamEvent } from "../../core/ports.ts";
import type { Message, ModelRequest, ModelResponse } from "../../../schemas/types.ts";

const request: ModelRequest = { messages: [{ role: "user", content: "Go." }], tools: [] };
const text = (content: string): Message => ({ role: "assistant", content });

function listen(signal = new AbortController().signal) {
  const received: StreamEvent[] = [];
  return { received, call: { signal, onStream: (event: StreamEvent) => void received.push(event), warn: () => {} } };
}

describe("continuePaused", () => {
  const pausing = (pauses: number) => {
    const requests: ModelRequest[] = [];
    const invokeModel: InvokeModel = async (called, { onStream }) => {
      requests.push(called);
      const message = text(`part ${requests.length}`);
      onStream({ type: "message_start", index: 0, message: text("") });
      onStream({ type: "message_end", index: 0, message });
      const usage = {
        input_tokens: 1,
        output_tokens: 2,
        cache_read_tokens: null,
        cache_write_tokens: null,
        reasoning_tokens: null,
      };
      return { messages: [message], stop_reason: requests.length <= pauses ? "pause" : "end_turn", usage };
    };
    return { requests, invokeModel };
  };

  it("sends what was said back, and makes one response of the segments [LOOP-30, LOOP-31]", async () => {
    const { requests, invokeModel } = pausing(2);
    const { received, call } = listen();
    const response = await continuePaused(invokeModel, 10)(request, call);
    expect(response).toMatchObject({
      stop_reason: "end_turn",
      usage: { input_tokens: 3, output_tokens: 6, cache_read_tokens: null },
    });
    expect(response.messages).toEqual([text("part 1"), text("part 2"), text("part 3")]);
    expect(requests.map(({ messages }) => messages.length)).toEqual([1, 2, 3]);
    expect(received.map(({ index }) => index)).toEqual([0, 0, 1, 1, 2, 2]);
  });

  it("gives up after so many continuations, with the stop reason `pause` [LOOP-32]", async () => {
    const { requests, invokeModel } = pausing(99);
    expect((await continuePaused(invokeModel, 2)(request, listen().call)).stop_reason).toBe("pause");
    expect(requests).toHaveLength(3);
  });
});

describe("keepPartialResponse", () => {
  it("answers for a model that ignores the cancel, with what it had streamed [CANCEL-3, CANCEL-5]", async () => {
    const cancel = new AbortController();
    const { received, call } = listen(cancel.signal);
    const deaf: InvokeModel = (_, { onStream }) => {
      onStream({ type: "message_start", index: 0, message: text("") });
      onStream({ type: "message_delta", index: 0, delta: "Once upon" });
      onStream({ type: "message_end", index: 0, message: text("Once upon") });
      onStream({ type: "message_start", index: 2, message: { type: "thinking", content: "" } });
      onStream({ type: "message_delta", index: 2, delta: "What" });
      onStream({ type: "message_delta", index: 2, delta: " now" });
      onStream({
        type: "message_start",
        index: 1,
        message: { type: "tool_call", id: "c", name: "t", input: null, raw_input: "" },
      });
      onStream({ type: "message_delta", index: 1, delta: '{"pa' });
      return new Promise(() => {});
    };
    const answer = keepPartialResponse(deaf)(request, call);
    cancel.abort();
    expect(await answer).toEqual({
      messages: [
        text("Once upon"),
        { type: "tool_call", id: "c", name: "t", input: null, raw_input: '{"pa' },
        { type: "thinking", content: "What now" },
      ],
      stop_reason: "interrupted",
    });
    expect(received.at(-1)).toMatchObject({ type: "message_end", index: 1 });
  });

  it("asks no model once it is cancelled [CANCEL-2]", async () => {
    const called: string[] = [];
    const invokeModel: InvokeModel = async () => {
      called.push("the model");
      return { messages: [text("Hello.")], stop_reason: "end_turn" };
    };
    const { call } = listen(AbortSignal.abort());
    expect(await keepPartialResponse(invokeModel)(request, call)).toEqual({ messages: [], stop_reason: "interrupted" });
    expect(called).toEqual([]);
  });

  it("closes what a failing provider left open, once [EVENT-6]", async () => {
    const { received, call } = listen();
    const failing: InvokeModel = async (_, { onStream }): Promise<ModelResponse> => {
      onStream({ type: "message_start", index: 0, message: text("") });
      return { messages: [], stop_reason: "error", error: { kind: "server_error", message: "down" } };
    };
    await keepPartialResponse(failing)(request, call);
    expect(received.map(({ type }) => type)).toEqual(["message_start", "message_end"]);
  });

  it("says nothing after it has answered", async () => {
    const { received, call } = listen();
    let late: () => void = () => {};
    const slow: InvokeModel = async (_, { onStream }) => {
      late = () => onStream({ type: "message_start", index: 0, message: text("") });
      return { messages: [], stop_reason: "end_turn" };
    };
    await keepPartialResponse(slow)(request, call);
    late();
    expect(received).toEqual([]);
  });
});
