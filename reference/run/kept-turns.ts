// Tells the end of a turn when the step that ended it is kept: a run whose suspension is not kept goes on in its turn, and ends there.

import type { EventBody, Ports } from "../core/ports.ts";

/** The end of a turn, until the next event. */
export interface KeptTurns {
  /** For all events of the run. */
  emit: Ports["emit"];
  /** A checkpoint after which the turn has ended. */
  around(checkpoint: Ports["checkpoint"]): Ports["checkpoint"];
}

/** The turns of a run of which nothing is kept: each ends when it ends. */
export function plainTurns(emit: Ports["emit"]): KeptTurns {
  return { emit, around: (checkpoint) => checkpoint };
}

/**
 * Holds each `turn_end` until its step is kept, or the next event is emitted. If a suspension is not kept, the calls that were to wait
 * are answered in the same turn, which then has an end of its own.
 * @see EVENT-4 JOURNAL-10
 */
export function keptTurns(emit: Ports["emit"]): KeptTurns {
  let held: EventBody | undefined;
  const release = () => {
    const last = held;
    held = undefined;
    if (last) emit(last);
  };
  return {
    emit(event) {
      release();
      if (event.type === "turn_end") held = event;
      else emit(event);
    },
    around: (checkpoint) => async (state) => {
      try {
        await checkpoint(state);
      } catch (notKept) {
        if (state.phase === "suspended") held = undefined;
        throw notKept;
      } finally {
        release();
      }
    },
  };
}
