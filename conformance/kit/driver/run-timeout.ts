// Times out a run in flight that is silent for too long, or takes too long in total.

import { TimeLimit, TimeWatch } from "./time-limit.ts";

/** How long a run may take, in milliseconds. */
export interface RunTimes {
  /** Without a sign of life. */
  idleMs: number;
  /** In all. */
  totalMs: number;
}

/** The watch over one run, until `end`. */
export class RunWatch {
  readonly #silence: TimeLimit;
  readonly #watch: TimeWatch;

  /**
   * @param giveUp called once, with the reason
   * @param heldUpMs how long driver and kit have waited for a processor so far, which is the fault of neither
   */
  constructor({ idleMs, totalMs }: RunTimes, giveUp: (why: string) => void, heldUpMs: () => number = () => 0) {
    this.#silence = new TimeLimit(idleMs);
    const silent = `the run was silent for ${idleMs} ms, half of its --timeout`;
    const long = `the run took longer than its --timeout of ${totalMs} ms`;
    this.#watch = new TimeWatch(
      [this.#silence, new TimeLimit(totalMs)],
      (over) => giveUp(over === this.#silence ? silent : long),
      heldUpMs,
    );
  }

  /** The run gave a sign of life. */
  sign(): void {
    this.#silence.restart();
  }

  end(): void {
    this.#watch.end();
  }
}
