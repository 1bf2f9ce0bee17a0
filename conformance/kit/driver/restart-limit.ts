// Decides when a driver that dies again and again is given up, so that a run of the suite ends in any case.

import { DriverCrash, DriverTimeout, ProtocolError } from "./errors.ts";

/** After how many lives in a row that came to nothing a driver is given up that has never come to anything. */
const limitAtFirst = 5;
/** The same for a driver that has finished runs: a whole area may be broken in it, and the next one not. */
const limitLater = 25;

/** What became of one life of a driver. */
export interface EndedSession {
  /** Whether it finished a run other than the one that it died of. */
  hasCompletedRuns: boolean;
  failure: Error | undefined;
}

/** Counts lives that came to nothing. @see KIT-16 */
export class RestartLimit {
  #fruitlessStarts = 0;
  #everCompletedRuns = false;

  /** Counts a life that has ended; returns why the driver is given up, if it is. */
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
