// A model that says nothing for too long has failed. Wraps `invokeModel`.

import type { Clock } from "../../support/clock.ts";
import type { InvokeModel, ModelCall } from "../../core/ports.ts";
import type { Plugin } from "../plugin.ts";

export const idleTimeout: Plugin = {
  name: "idle-timeout",
  options: ["model_idle_timeout_ms"],
  attach({ clock, options: { model_idle_timeout_ms: idleMs = null } }) {
    if (idleMs !== null) return { aroundRequest: (next) => withIdleTimeout(next, clock, idleMs) };
  },
};

/**
 * Breaks a call off when nothing of its answer has come for `idleMs` milliseconds; what had come is kept. What it wraps has to
 * stop at its signal, whether the provider does or not.
 * @see RETRY-13
 */
export function withIdleTimeout(invokeModel: InvokeModel, clock: Clock, idleMs: number): InvokeModel {
  return async (request, call) => {
    const silent = new AbortController();
    const over = new AbortController();
    let heardAt = clock.now();
    const onStream: ModelCall["onStream"] = (event) => {
      heardAt = clock.now();
      call.onStream(event);
    };
    const watch = async () => {
      for (let left = idleMs; left > 0; left = heardAt + idleMs - clock.now()) await clock.sleep(left, over.signal);
      silent.abort(SILENT);
    };
    void watch();
    try {
      const signal = AbortSignal.any([call.signal, silent.signal]);
      const response = await invokeModel(request, { ...call, onStream, signal });
      const wasSilent = silent.signal.aborted && !call.signal.aborted && response.stop_reason === "interrupted";
      const message = `No output from the model for ${idleMs} ms (model_idle_timeout_ms).`;
      return wasSilent ? { ...response, error: { kind: "timeout", message } } : response;
    } finally {
      over.abort(ANSWERED);
    }
  };
}

/** Reasons of our own: the default one is made anew each time, with a stack trace. */
const SILENT = "silent";
const ANSWERED = "answered";
