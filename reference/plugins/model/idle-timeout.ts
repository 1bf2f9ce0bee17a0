// A model that says nothing for too long has failed. Wraps `invokeModel`.

import type { Clock } from "../../support/clock.ts";
import type { InvokeModel, ModelCall } from "../../core/ports.ts";

/**
 * Breaks a call off when nothing of its answer has come for `idleMs` milliseconds; what had come is kept. What it wraps has to
 * stop at its signal, whether the provider does or not.
 * @param idleMs null: however long it takes
 * @see RETRY-13
 */
export function failWhenSilent(invokeModel: InvokeModel, clock: Clock, idleMs: number | null): InvokeModel {
  if (idleMs === null) return invokeModel;
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
      const message = `The model said nothing for ${idleMs} ms.`;
      return wasSilent ? { ...response, error: { kind: "timeout", message } } : response;
    } finally {
      over.abort(ANSWERED);
    }
  };
}

/** Reasons of our own: the default one is made anew each time, with a stack trace. */
const SILENT = "silent";
const ANSWERED = "answered";
