// Puts U+FFFD in place of half of a surrogate pair in what a model says, once the pieces of a stream are joined.

import type { ModelCall, StreamEvent } from "../../core/ports.ts";
import { wellFormed } from "../../support/well-formed.ts";

/**
 * A call whose listener is told of no half of a letter: a half at the end of a delta waits for the next one.
 * @see PROVIDER-47
 */
export function listenerOfWholeLetters(call: ModelCall): ModelCall {
  const halves = new Map<number, string>();
  const tellDelta = (index: number, delta: string) => {
    if (delta !== "") call.onStream({ type: "message_delta", index, delta });
  };
  const onStream = (event: StreamEvent) => {
    const { index } = event;
    const half = halves.get(index) ?? "";
    if (event.type === "message_delta") {
      const text = half + event.delta;
      const end = isFirstHalf(text.charCodeAt(text.length - 1)) ? text.length - 1 : text.length;
      halves.set(index, text.slice(end));
      return tellDelta(index, text.slice(0, end).toWellFormed());
    }
    halves.delete(index);
    if (event.type === "message_end") tellDelta(index, half.toWellFormed());
    return call.onStream({ ...event, message: wellFormed(event.message) });
  };
  const { onCutOff } = call;
  return { ...call, onStream, ...(onCutOff && { onCutOff: (soFar) => onCutOff(wellFormed(soFar)) }) };
}

function isFirstHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
