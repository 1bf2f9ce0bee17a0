// Emits what a batch came to, and the end of its turn, when the step is kept: what was emitted must outlive the process.

import type { EventBody, Ports } from "../core/ports.ts";

/** The events of a step that is not kept yet. */
export interface KeptTurns {
  /** For all events of the run. */
  emit: Ports["emit"];
  /** A checkpoint after which the step is kept. */
  around(checkpoint: Ports["checkpoint"]): Ports["checkpoint"];
}

/** The turns of a run of which nothing is kept: each ends when it ends. */
export function plainTurns(emit: Ports["emit"]): KeptTurns {
  return { emit, around: (checkpoint) => checkpoint };
}

/**
 * Holds results, and everything behind them, until their step is kept, or the run has ended; and each `turn_end` until its step is
 * kept, or the next event is emitted. If a suspension is not kept, the calls that were to wait are answered in the same turn, which
 * then has an end of its own.
 * @see EVENT-4 JOURNAL-4 JOURNAL-10
 */
export function keptTurns(emit: Ports["emit"]): KeptTurns {
  const held: EventBody[] = [];
  const release = () => {
    for (const event of held.splice(0)) emit(event);
  };
  return {
    emit(event) {
      const [first] = held;
      if (event.type === "run_end" || (first && !isResult(first))) release();
      if (held.length > 0 || isResult(event) || event.type === "turn_end") held.push(event);
      else emit(event);
    },
    around: (checkpoint) => async (state) => {
      try {
        await checkpoint(state);
      } catch (notKept) {
        const stillInTurn = held.filter(({ type }) => type !== "turn_end");
        if (state.phase === "suspended") held.splice(0, held.length, ...stillInTurn);
        throw notKept;
      } finally {
        release();
      }
    },
  };
}

function isResult(event: EventBody): boolean {
  return event.type === "message" && "type" in event.message && event.message.type === "tool_result";
}
