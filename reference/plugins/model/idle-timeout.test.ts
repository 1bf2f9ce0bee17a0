// A model that says nothing: when its call fails, what is kept, and what is not left behind.

import { withIdleTimeout } from "./idle-timeout.ts";
import { keepPartialResponse } from "./partial-response.ts";
import { expect, it } from "vitest";

import { virtualClock, type Clock } from "../../support/clock.ts";
import type { InvokeModel, ModelCall } from "../../core/ports.ts";

const request = { messages: [], tools: [] };

/** A model that starts a message, and says more only when it is told to. */
function stalling() {
  let say: ModelCall["onStream"] = () => {};
  const model: InvokeModel = (_, { onStream }) => {
    say = onStream;
    onStream({ type: "message_start", index: 0, message: { role: "assistant", content: "" } });
    return new Promise(() => {});
  };
  return { model, say: (delta: string) => say({ type: "message_delta", index: 0, delta }) };
}

function ask(model: InvokeModel, clock: Clock, signal = new AbortController().signal) {
  const call: ModelCall = { signal, onStream: () => {}, warn: () => {} };
  return withIdleTimeout(keepPartialResponse(model), clock, 1000)(request, call);
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

it("fails once nothing has come for so long, and keeps what had come [RETRY-13]", async () => {
  const clock = virtualClock();
  const { model, say } = stalling();
  const answer = ask(model, clock);
  clock.advance(900);
  say("Hel");
  clock.advance(900);
  await turn();
  say("lo");
  clock.advance(999);
  await turn();
  clock.advance(1);
  expect(await answer).toEqual({
    messages: [{ role: "assistant", content: "Hello" }],
    stop_reason: "interrupted",
    error: { kind: "timeout", message: "No output from the model for 1000 ms (model_idle_timeout_ms)." },
  });
});

it("a cancel is a cancel, also after that time", async () => {
  const clock = virtualClock();
  const cancel = new AbortController();
  const answer = ask(stalling().model, clock, cancel.signal);
  cancel.abort();
  clock.advance(5000);
  expect((await answer).error).toBeUndefined();
});

it("leaves no timer behind", async () => {
  let sleeping = 0;
  const clock: Clock = {
    now: () => 0,
    sleep: (_, signal) => {
      sleeping += 1;
      signal?.addEventListener("abort", () => (sleeping -= 1), { once: true });
      return new Promise(() => {});
    },
  };
  await ask(async () => ({ messages: [], stop_reason: "end_turn" }), clock);
  expect(sleeping).toBe(0);
});
