// Counters in the state of a run, so that a resumed run continues counting. @see LOOP-36

import type { State } from "../core/ports.ts";

/** The name of a counter. */
export type Counter =
  | "empty_retries"
  | "empty_retried_turn"
  | "insisted_turn"
  | "structured_retries"
  | "stop_blocks"
  | "fallbacks"
  | "context_tokens"
  | "context_messages"
  | "compaction_failures"
  | "elapsed_ms";

/** 0 by default. */
export function counted({ counters }: State, counter: Counter): number {
  return counters?.[counter] ?? 0;
}

/** Sets the counter in this state, and in every state derived from it. */
export function count(state: State, counter: Counter, value: number): void {
  state.counters ??= {};
  state.counters[counter] = value;
}
