// Emits the start and end of each request to the provider.

import type { EventBody, InvokeModel } from "../../core/ports.ts";
import type { Plugin } from "../plugin.ts";

export const attemptEvents: Plugin = {
  name: "attempt-events",
  attach(run) {
    let turn = 0; // whose attempts are counted
    let attempt = 0;
    const emit = (event: AttemptEvent) => {
      if (run.turn !== turn) attempt = 0;
      turn = run.turn;
      if (event.type === "attempt_start") attempt += 1;
      run.emit({ ...event, turn, attempt });
    };
    return { aroundRequest: (next, aside) => (aside ? next : emitAttempts(next, emit)) };
  },
};

type Attempt = Extract<EventBody, { type: "attempt_start" | "attempt_end" }>;
/** An event of an attempt, without its numbers. */
type AttemptEvent = Attempt extends infer E ? (E extends Attempt ? Omit<E, "turn" | "attempt"> : never) : never;

/** @see EVENT-13 */
function emitAttempts(invokeModel: InvokeModel, emit: (event: AttemptEvent) => void): InvokeModel {
  return async (request, call) => {
    const { model } = request;
    emit({ type: "attempt_start", ...(model !== undefined && { model }) });
    let end: AttemptEvent = { type: "attempt_end", stop_reason: "error" }; // for a provider that throws
    try {
      const response = await invokeModel(request, call);
      const { stop_reason, error } = response;
      end = { type: "attempt_end", stop_reason, ...(error && { error }) };
      return response;
    } finally {
      emit(end);
    }
  };
}
