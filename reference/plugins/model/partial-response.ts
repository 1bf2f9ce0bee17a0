// Keeps the partial output of a response that is cut off.

import type { InvokeModel, StreamEvent } from "../../core/ports.ts";
import { raceAbort } from "../../support/until-aborted.ts";
import type { Message, ModelResponse } from "../../../schemas/types.ts";
import type { Plugin } from "../plugin.ts";

export const partialResponse: Plugin = {
  name: "partial-response",
  attach: () => ({ aroundRequest: keepPartialResponse }),
};

/**
 * Stops waiting for the model when the run is cancelled, even if the provider ignores the signal, and returns what was streamed
 * so far. Closes every message of the stream that the provider left open.
 * @see CANCEL-3 CANCEL-5 EVENT-6
 */
export function keepPartialResponse(invokeModel: InvokeModel): InvokeModel {
  return async (request, call) => {
    if (call.signal.aborted) return { messages: [], stop_reason: "interrupted" }; // [CANCEL-2]
    const received: Message[] = [];
    const open = new Set<number>();
    let listening = true;
    const own = new AbortController(); // a listener that the provider leaves on its signal is collected with the call

    const onStream = (event: StreamEvent) => {
      if (!listening) return;
      if (event.type === "message_end") open.delete(event.index);
      else open.add(event.index);
      received[event.index] =
        event.type === "message_delta" ? extended(received[event.index]!, event.delta) : event.message;
      call.onStream(event);
    };
    const interrupt = (): ModelResponse => {
      listening = false;
      own.abort(call.signal.reason);
      return { messages: Object.values(received), stop_reason: "interrupted" };
    };
    // A provider must not throw; if it does, its partial output is kept.
    const broken = (thrown: unknown): ModelResponse => {
      const error = { kind: "internal", message: String(thrown) } as const;
      return { messages: Object.values(received), stop_reason: "error", error };
    };
    try {
      const answered = invokeModel(request, { ...call, signal: own.signal, onStream }).catch(broken);
      return await raceAbort(answered, call.signal, interrupt);
    } finally {
      listening = false;
      for (const index of open) call.onStream({ type: "message_end", index, message: received[index]! });
    }
  };
}

function extended(message: Message, delta: string): Message {
  if ("type" in message && message.type === "tool_call") {
    return { ...message, input: null, raw_input: (message.raw_input ?? "") + delta };
  }
  return "content" in message ? ({ ...message, content: message.content + delta } as Message) : message;
}
