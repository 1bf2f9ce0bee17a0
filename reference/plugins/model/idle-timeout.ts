// Fails a model call without output for too long.

import type { Clock } from "../../support/clock.ts";
import type { InvokeModel, ModelCall } from "../../core/ports.ts";
import type { Plugin } from "../plugin.ts";
import { anySignal } from "../../support/any-signal.ts";

export const idleTimeout: Plugin = {
  name: "idle-timeout",
  options: ["model_idle_timeout_ms"],
  attach({ clock, options: { model_idle_timeout_ms: idleMs = null } }) {
    if (idleMs !== null) return { aroundRequest: (next) => withIdleTimeout(next, clock, idleMs) };
  },
};

/**
 * Aborts a call without output for `idleMs` milliseconds, and keeps the partial response. The wrapped function must stop at its
 * signal, even if the provider does not.
 * @see RETRY-13
 */
export function withIdleTimeout(invokeModel: InvokeModel, clock: Clock, idleMs: number): InvokeModel {
  return async (request, call) => {
    const idle = new AbortController();
    const over = new AbortController();
    let receivedAt = clock.now();
    const onStream: ModelCall["onStream"] = (event) => {
      receivedAt = clock.now();
      call.onStream(event);
    };
    const watch = async () => {
      for (let left = idleMs; left > 0; left = receivedAt + idleMs - clock.now()) await clock.sleep(left, over.signal);
      idle.abort(IDLE);
    };
    void watch();
    try {
      const signal = anySignal(call.signal, idle.signal);
      const response = await invokeModel(request, { ...call, onStream, signal });
      const wasIdle = idle.signal.aborted && !call.signal.aborted && response.stop_reason === "interrupted";
      const message = `No output from the model for ${idleMs} ms (model_idle_timeout_ms).`;
      return wasIdle ? { ...response, error: { kind: "timeout", message } } : response;
    } finally {
      over.abort(ANSWERED);
    }
  };
}

/** Constant reasons: the default one is a new error each time, with a stack trace. */
const IDLE = "idle";
const ANSWERED = "answered";
