// Observers of a run under way. The only thing that they decide is the trace context of tools.

import type { EventBody, ExecutableCall } from "../core/ports.ts";
import type { LoopEvent, TraceContext } from "../../schemas/types.ts";

/** Watches one run. A watcher that throws is removed. */
export interface Watcher {
  /** Receives every event, in order and synchronously: the run continues when it returns. */
  onEvent?(event: LoopEvent): void;
  /** @deprecated Use `onEvent`, which takes precedence. */
  hear?(event: LoopEvent): void;
  /** The trace context for the tool of a call, if not that of the run. Called once the call has started. @see TOOL-36 */
  traceOf?(call: ExecutableCall): TraceContext | undefined;
}

/** Creates the watcher of a run when it begins. @param trace the trace that the run belongs to, if any */
export type Watch = (trace: TraceContext | undefined) => Watcher;

/** The watchers of one run. */
export class Watchers {
  readonly #trace: TraceContext | undefined;
  readonly #watchers: Set<Watcher>;
  readonly #warn: (warning: EventBody) => void;
  #turn = 0;

  constructor(watch: Watch[], trace: TraceContext | undefined, warn: (warning: EventBody) => void) {
    this.#trace = trace;
    this.#warn = warn;
    this.#watchers = new Set(watch.map((begin) => begin(trace)));
  }

  dispatch(event: LoopEvent): void {
    if ("turn" in event) this.#turn = event.turn;
    this.#ask((watcher) => (watcher.onEvent ? watcher.onEvent(event) : watcher.hear?.(event)));
  }

  /** The trace context for the tool of a call. */
  traceOf(call: ExecutableCall): TraceContext | undefined {
    let trace: TraceContext | undefined;
    this.#ask((watcher) => (trace ??= watcher.traceOf?.(call)));
    return trace ?? this.#trace;
  }

  /** A watcher that throws is removed: it must not fail the run. */
  #ask(call: (watcher: Watcher) => void): void {
    const failed: string[] = [];
    for (const watcher of this.#watchers) {
      try {
        call(watcher);
      } catch (error) {
        this.#watchers.delete(watcher);
        failed.push(error instanceof Error ? error.message : String(error));
      }
    }
    // Only after every watcher was called, so that the current event precedes its warning.
    for (const reason of failed) {
      const message = `A watcher threw and was removed: ${reason}`;
      this.#warn({ type: "warning", turn: this.#turn, code: "watcher_failed", message });
    }
  }
}
