// A response that is cut off keeps what was heard of it. Wraps `invokeModel`.

import type { InvokeModel, StreamEvent } from "./core/ports.ts";
import type { Message, ModelResponse } from "./types.ts";

/**
 * Stops waiting for the model when the run is cancelled, whether the provider listens or not, and answers with what had been
 * streamed by then. Closes every message of the stream that the provider left open.
 * @see CANCEL-3 CANCEL-5 EVENT-6
 */
export function keepWhatWasHeard(invokeModel: InvokeModel): InvokeModel {
  return async (request, call) => {
    const heard: Message[] = [];
    const open = new Set<number>();
    let listening = true;
    const over = new AbortController();

    const onStream = (event: StreamEvent) => {
      if (!listening) return;
      if (event.type === "message_start") open.add(event.index);
      if (event.type === "message_end") open.delete(event.index);
      heard[event.index] = event.type === "message_delta" ? extended(heard[event.index]!, event.delta) : event.message;
      call.onStream(event);
    };
    const cancelled = new Promise<ModelResponse>((resolve) => {
      const interrupt = () => resolve({ messages: Object.values(heard), stop_reason: "interrupted" });
      if (call.signal.aborted) interrupt();
      else call.signal.addEventListener("abort", interrupt, { once: true, signal: over.signal });
    });
    try {
      return await Promise.race([cancelled, invokeModel(request, { ...call, onStream })]);
    } finally {
      listening = false;
      over.abort(ANSWERED);
      for (const index of open) call.onStream({ type: "message_end", index, message: heard[index]! });
    }
  };
}

/** A reason of our own: the default one is made anew each time, with a stack trace. */
const ANSWERED = "answered";

function extended(message: Message, delta: string): Message {
  if ("type" in message && message.type === "tool_call") {
    return { ...message, input: null, raw_input: (message.raw_input ?? "") + delta };
  }
  return "content" in message ? ({ ...message, content: message.content + delta } as Message) : message;
}
