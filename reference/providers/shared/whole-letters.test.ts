// A listener hears whole letters, however a stream cut them.

import { expect, test } from "vitest";
import type { ModelCall, StreamEvent } from "../../core/ports.ts";
import type { Message } from "../../../schemas/types.ts";
import { listenerOfWholeLetters } from "./whole-letters.ts";

function heard(deltas: string[]): string[] {
  const told: string[] = [];
  const call: ModelCall = {
    signal: new AbortController().signal,
    onStream: (event) => void told.push(event.type === "message_delta" ? event.delta : event.type),
    warn: () => undefined,
  };
  const { onStream } = listenerOfWholeLetters(call);
  const message: Message = { role: "assistant", content: "" };
  const events: StreamEvent[] = [
    { type: "message_start", index: 0, message },
    ...deltas.map((delta): StreamEvent => ({ type: "message_delta", index: 0, delta })),
    { type: "message_end", index: 0, message: { ...message, content: deltas.join("") } },
  ];
  for (const event of events) onStream(event);
  return told;
}

test.each([
  ["a letter in one piece", ["a😀"], ["a😀"]],
  ["a letter cut in two", ["a\ud83d", "\ude00b"], ["a", "😀b"]],
  ["a letter cut in two, with nothing around it", ["\ud83d", "\ude00"], ["😀"]],
  ["a first half alone", ["a\ud83d", "b"], ["a", "\ufffdb"]],
  ["a first half at the end", ["a\ud83d"], ["a", "\ufffd"]],
  ["a second half alone", ["\ude00b"], ["\ufffdb"]],
])("%s", (_, deltas, expected) => {
  expect(heard(deltas)).toEqual(["message_start", ...expected, "message_end"]);
});
