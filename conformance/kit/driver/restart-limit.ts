// Limits the restarts of a driver that keeps dying, so that a run of the suite always ends.

import { DriverCrash, DriverTimeout, ProtocolError } from "./errors.ts";

/** The limit of consecutive sessions without a completed run, for a driver that has never completed one. */
const limitAtFirst = 5;
/** The same for a driver that has completed runs: one area may be broken, and the next one fine. */
const limitLater = 25;

/** A session that has ended. */
export interface EndedSession {
  /** Whether it completed a run other than the one that it died in. */
  hasCompletedRuns: boolean;
  failure: Error | undefined;
}

/** Counts consecutive sessions without a completed run. @see KIT-16 */
export class RestartLimit {
  #fruitlessStarts = 0;
  #everCompletedRuns = false;

  /** Counts a session that has ended; returns why the driver is given up, if the limit is reached. */
  reachedAfter({ hasCompletedRuns, failure }: EndedSession): Error | undefined {
    this.#everCompletedRuns ||= hasCompletedRuns;
    this.#fruitlessStarts = hasCompletedRuns ? 0 : this.#fruitlessStarts + 1;
    if (!failure || this.#fruitlessStarts < (this.#everCompletedRuns ? limitLater : limitAtFirst)) return undefined;
    const why = `not run: the driver was started ${this.#fruitlessStarts} times in a row and died in its first run each time, so the kit gave up; the last error: ${failure.message}`;
    if (failure instanceof ProtocolError) return new ProtocolError(why, failure.line);
    if (failure instanceof DriverTimeout) return new DriverTimeout(why);
    // Anything else is a failure of the kit, and stays one.
    return failure instanceof DriverCrash ? new DriverCrash(why) : failure;
  }
}
