// Numbers that modules keep in the state of a run, so that a resumed run goes on counting. @see LOOP-36

import type { State } from "../core/ports.ts";

/** What a module counts. */
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
  | "compacted_for_turn"
  | "elapsed_ms";

/** 0 if nobody has counted yet. */
export function counted({ counters }: State, counter: Counter): number {
  return counters?.[counter] ?? 0;
}

/** Keeps the number in the state that is given, and in every state that comes from it. */
export function count(state: State, counter: Counter, value: number): void {
  state.counters ??= {};
  state.counters[counter] = value;
}
