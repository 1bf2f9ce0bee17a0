// Waits until a driver has processed everything: barriers without new messages prove that nothing is pending.

import { DriverError } from "../driver/errors.ts";
import { isStreamedVariant } from "../suite/variant.ts";
import { isWireDriver } from "../suite/wire-driver.ts";
import { TimeLimit, comesBefore } from "../driver/time-limit.ts";
import type { RunState } from "./run-state.ts";
import { awaitNotification } from "./await-notification.ts";

/** How many consecutive barriers without new messages count as idle. */
export const quietRounds = 2;

/** The waiting for the driver of one run. */
export class Quiet {
  readonly #run: RunState;
  /** How many written pieces of answers the driver has not reported yet. */
  #unreported = 0;

  constructor(run: RunState) {
    this.#run = run;
  }

  /** Whether the driver has not yet reported something that was written of an answer. */
  get isPending(): boolean {
    return this.#unreported > 0;
  }

  /** Resolves when so many barriers in a row were answered without a sign of life in between. */
  async lasting(rounds: number): Promise<void> {
    for (let quiet = 0; quiet < rounds;) {
      const before = this.#run.clock;
      // What is written in this turn of the event loop is handed over at its end: the barrier comes after it.
      await nextTurn();
      await this.#barrier();
      // Requests on the wire travel on another way than the barrier's answer: they are read in the next turns of the event loop.
      await nextTurn();
      await nextTurn();
      quiet = this.#run.clock === before ? quiet + 1 : 0;
    }
  }

  /**
   * Resolves when the driver has processed what was just written of an answer: it has reported more than `pieces` pieces, if it
   * reports pieces at all, and then is idle. What is written in one go arrives in one go, so that a sign of any of it
   * is a sign of all.
   */
  async processed(pieces: number): Promise<void> {
    const { variant, driver } = this.#run.input;
    const reportsPieces = isStreamedVariant(variant) && driver.features?.includes("streaming");
    this.#unreported += 1;
    if (reportsPieces) await this.awaitNotification(this.#morePieces(pieces));
    this.#unreported -= 1;
    this.#run.tick();
    if (this.#run.hasBarrier) await this.betweenWrites();
  }

  /**
   * Resolves when the driver has dealt with what was written. One without barriers gives no sign of what it reads, and is waited for
   * only where the case has something happen between two pieces.
   */
  async betweenWrites(): Promise<void> {
    const { driver, filled } = this.#run.input;
    if (isWireDriver(driver) && (filled.case.actions ?? []).length === 0) return await nextTurn();
    await this.lasting(quietRounds);
  }

  /** Resolves with a notification of the driver, or once it has had enough time for one. */
  awaitNotification(notification: Promise<unknown>): Promise<void> {
    return awaitNotification(notification, () => this.#barrier());
  }

  /** Settles when the driver has reported more than so many pieces, or the run has ended. */
  async #morePieces(pieces: number): Promise<void> {
    while (this.#run.traffic.pieces <= pieces && !this.#run.isOver) await this.#run.nextSign();
  }

  /** Nothing has come of the driver, over its pipe or the wire, for a while. */
  async #unheard(): Promise<void> {
    const run = this.#run;
    let isHeard = true;
    while (isHeard && !run.isOver)
      isHeard = await comesBefore(run.nextSign(), new TimeLimit(unheardMs), run.input.pid?.());
  }

  async #barrier(): Promise<void> {
    if (!this.#run.hasBarrier) return;
    if (isWireDriver(this.#run.input.driver)) return await this.#unheard();
    const { connection, run } = this.#run.input;
    try {
      await connection.request("barrier", { run });
    } catch (error) {
      // A driver may have forgotten a run that it has answered.
      if (!(error instanceof DriverError && this.#run.isOver)) throw error;
    }
  }
}

/** How long nothing is to be received of a driver that cannot be asked until it counts as idle, in milliseconds. */
const unheardMs = 150;

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
