// Who watches a run while it happens. All that follows from it is in which trace the tools run.

import type { EventBody, ExecutableCall } from "../core/ports.ts";
import type { LoopEvent, TraceContext } from "../../schemas/types.ts";

/** Watches one run. */
export interface Watcher {
  /** Hears every event, in order and at once: the run goes on when it returns. One that throws hears nothing more. */
  hear(event: LoopEvent): void;
  /** The trace context for the tool of a call, where it is not that of the run. Asked once the call has started. @see TOOL-36 */
  traceOf?(call: ExecutableCall): TraceContext | undefined;
}

/** Is asked for a watcher when a run begins, with the trace that this belongs to, if it belongs to one. */
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

  hear(event: LoopEvent): void {
    if ("turn" in event) this.#turn = event.turn;
    this.#ask((watcher) => watcher.hear(event));
  }

  /** The trace context for the tool of a call. */
  traceOf(call: ExecutableCall): TraceContext | undefined {
    let trace: TraceContext | undefined;
    this.#ask((watcher) => (trace ??= watcher.traceOf?.(call)));
    return trace ?? this.#trace;
  }

  /** Whoever looks on and fails is left out: the run does not fail because of it. */
  #ask(what: (watcher: Watcher) => void): void {
    const failed: string[] = [];
    for (const watcher of this.#watchers) {
      try {
        what(watcher);
      } catch (error) {
        this.#watchers.delete(watcher);
        failed.push(error instanceof Error ? error.message : String(error));
      }
    }
    // Said when all have been asked: an event that is under way comes before its warning.
    for (const why of failed) {
      const message = `A watcher of the run failed, and hears nothing more: ${why}`;
      this.#warn({ type: "warning", turn: this.#turn, code: "watcher_failed", message });
    }
  }
}
