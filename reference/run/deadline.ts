// Ends what is under way when the time of a run is over, as a cancel does.

import type { EventBody, State } from "../core/ports.ts";
import { counted } from "../state/counters.ts";
import type { Clock } from "../support/clock.ts";
import { anySignal } from "../support/any-signal.ts";

/** The deadline of a run. */
export interface Deadline {
  /** Aborted when the run is cancelled, or its time is over. */
  signal: AbortSignal;
  /** Gives a run that was cut off by its deadline, and not cancelled, its ending. @see LOOP-105 EVENT-15 */
  named(state: State): void;
  release(): void;
}

/** Why a run is aborted whose time is over. A constant reason: the default one is a new error each time. */
const OVER = "deadline_ms";

/** The longest time that a timer of JavaScript can wait, in milliseconds: a longer one would ring at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * A run whose time was over before it goes on is left to the check between turns.
 * @param cancelled aborted when the run is cancelled
 * @see LOOP-105
 */
export function deadlineOf(
  run: State,
  clock: Clock,
  cancelled: AbortSignal,
  emit: (event: EventBody) => void,
): Deadline | undefined {
  const { deadline_ms } = run.options;
  const left = deadline_ms == null ? 0 : deadline_ms - counted(run, "elapsed_ms");
  if (left <= 0 || left > LONGEST_TIMER) return undefined;
  const over = new AbortController();
  const ended = new AbortController();
  void clock.sleep(left, ended.signal).then(() => over.abort(OVER));
  return {
    signal: anySignal(cancelled, over.signal),
    named(state) {
      const isCancelled = cancelled.aborted && cancelled.reason !== OVER; // a subagent ends with the deadline of its parent
      if (state.ending?.status !== "cancelled" || isCancelled) return;
      emit({ type: "limit", turn: state.turn, limit: "deadline_ms", status: "deadline" });
      state.ending = { status: "deadline" };
    },
    release: () => ended.abort(),
  };
}
