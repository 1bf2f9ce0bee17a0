// Detects a loop that waits for another time than the case lets pass: the clock is moved on, and the loop goes on.

import type { Actions } from "./actions.ts";
import { quietRounds } from "./quiet.ts";
import type { Quiet } from "./quiet.ts";
import type { RunState } from "./run-state.ts";

/** For how long a run gives no sign of life until it counts as waiting, in milliseconds: long before it would be given up. */
const silentMs = 1500;
/** How far the clock is moved then, one after another, in milliseconds: up to some days. */
const moves = [1_000, 9_000, 90_000, 900_000, 9_000_000, 90_000_000, 900_000_000];

/** The watch over a run of which the case moves the clock. */
export class ClockWatch {
  readonly #run: RunState;
  readonly #quiet: Quiet;
  readonly #actions: Actions;

  constructor(run: RunState, quiet: Quiet, actions: Actions) {
    this.#run = run;
    this.#quiet = quiet;
    this.#actions = actions;
  }

  /** Watches until the run is over, or was found to wait; settles then. Its errors end the run. */
  async begin(): Promise<void> {
    if (!this.#run.usesClock || !this.#run.hasBarrier) return;
    try {
      await this.#watch();
    } catch (error) {
      this.#run.break(error);
    }
  }

  async #watch(): Promise<void> {
    const run = this.#run;
    while (!run.isOver) {
      const before = run.clock;
      await this.#pause();
      if (run.isOver || run.clock !== before || this.#isKitBusy()) continue;
      // A machine that has much to do is silent as well; a driver that answers and says nothing waits.
      await this.#quiet.lasting(quietRounds);
      if (run.isOver || run.clock !== before) continue;
      return await this.#moveOn();
    }
  }

  /** The kit holds something back, or an answer is on its way. */
  #isKitBusy(): boolean {
    const { gates, traffic, input, serving } = this.#run;
    const isUnderway = input.variant.seam !== "generic" && traffic.waitingRuns > serving();
    return this.#actions.busy || gates.held > 0 || this.#quiet.isPending || isUnderway;
  }

  async #moveOn(): Promise<void> {
    const run = this.#run;
    const { connection, run: name } = run.input;
    const { clock: before, elapsedMs: passed } = run;
    let moved = 0;
    for (const ms of moves) {
      await connection.request("clock/advance", { run: name, ms });
      await this.#quiet.lasting(1);
      moved += ms;
      if (run.clock === before && !run.isOver) continue;
      const between = `between ${moved - ms} and ${moved} ms more`;
      const message = `the loop still waited when the case had let ${passed} ms pass; it went on after ${between}`;
      run.seen.disturbed = true;
      return run.fail([{ code: "stuck", message }]);
    }
  }

  async #pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, silentMs);
    await Promise.race([promise, this.#run.over]);
    clearTimeout(timer);
  }
}
