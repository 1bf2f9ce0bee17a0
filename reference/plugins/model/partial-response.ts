// Keeps the partial output of a response that is cut off: by the provider, by a cancel, or because it took too long.

import type { InvokeModel, StreamEvent } from "../../core/ports.ts";
import { withKnownEnding } from "../../state/known-ending.ts";
import { raceAbort } from "../../support/until-aborted.ts";
import { Watchdog } from "../../support/watchdog.ts";
import type { LoopError, Message, ModelResponse } from "../../../schemas/types.ts";
import type { Plugin } from "../plugin.ts";

export const partialResponse: Plugin = {
  name: "partial-response",
  options: ["model_timeout_ms"],
  attach({ clock, options: { model_timeout_ms = 600_000 } }) {
    if (model_timeout_ms === null) return { aroundRequest: (next) => keepPartialResponse(next) };
    const watchdog = new Watchdog(clock, model_timeout_ms);
    const message = `The model call took longer than ${model_timeout_ms} ms (model_timeout_ms).`;
    const timeout = { watchdog, error: { kind: "timeout", message } as const };
    return {
      aroundRequest: (next) => keepPartialResponse(next, timeout),
      release: () => watchdog.release(),
    };
  },
};

/** Limits the time of a request. */
interface Timeout {
  watchdog: Watchdog;
  /** Why a request that took too long failed. */
  error: LoopError;
}

/**
 * Stops waiting for the model when the run is cancelled, even if the provider ignores the signal, and returns what was streamed
 * so far, with the usage that was received. The same if the call takes too long. Closes every message of the stream that the provider left open.
 * @see CANCEL-3 CANCEL-5 CANCEL-12 EVENT-6 RETRY-16
 */
export function keepPartialResponse(invokeModel: InvokeModel, timeout?: Timeout): InvokeModel {
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
    let beside: Pick<ModelResponse, "model" | "provider" | "usage"> = {};
    const onCutOff = ({ model, provider, usage }: ModelResponse) => {
      beside = {
        ...(model !== undefined && { model }),
        ...(provider !== undefined && { provider }),
        ...(usage && { usage }),
      };
    };
    const interrupt = (): ModelResponse => {
      listening = false;
      own.abort(call.signal.aborted ? call.signal.reason : TOO_LONG);
      return { messages: Object.values(received), stop_reason: "interrupted", ...beside };
    };
    // A provider must not throw; if it does, its partial output is kept.
    const broken = (thrown: unknown): ModelResponse => {
      const error = { kind: "internal", message: String(thrown) } as const;
      return { messages: Object.values(received), stop_reason: "error", error };
    };
    let unwatch: (() => void) | undefined;
    try {
      const answered = invokeModel(request, { ...call, signal: own.signal, onStream, onCutOff }).catch(broken);
      const inTime =
        timeout &&
        new Promise<ModelResponse>((resolve) => {
          unwatch = timeout.watchdog.watch(() => resolve({ ...interrupt(), error: timeout.error }));
          void answered.then(resolve);
        });
      return withKnownEnding(await raceAbort(inTime ?? answered, call.signal, interrupt));
    } finally {
      unwatch?.();
      listening = false;
      for (const index of open) call.onStream({ type: "message_end", index, message: received[index]! });
    }
  };
}

/** A constant reason: the default one is a new error each time, with a stack trace. */
const TOO_LONG = "too long";

function extended(message: Message, delta: string): Message {
  if ("type" in message && message.type === "tool_call") {
    return { ...message, input: null, raw_input: (message.raw_input ?? "") + delta };
  }
  return "content" in message ? ({ ...message, content: message.content + delta } as Message) : message;
}
