// Decides when a driver that dies again and again is given up, so that a run of the suite ends in any case.

import { DriverCrash, DriverTimeout, ProtocolError } from "./errors.ts";

/** After how many lives in a row that came to nothing a driver is given up that has never come to anything. */
const mostAtFirst = 5;
/** The same for a driver that has finished runs: a whole area may be broken in it, and the next one not. */
const mostLater = 25;

/** What became of one life of a driver. */
export interface Life {
  /** Whether it finished a run other than the one that it died of. */
  isFruitful: boolean;
  failure: Error | undefined;
}

/** Counts lives that came to nothing. @see KIT-16 */
export class Patience {
  #barren = 0;
  #hasFinished = false;

  /** Counts a life that has ended; returns why the driver is given up, if it is. */
  after({ isFruitful, failure }: Life): Error | undefined {
    this.#hasFinished ||= isFruitful;
    this.#barren = isFruitful ? 0 : this.#barren + 1;
    if (!failure || this.#barren < (this.#hasFinished ? mostLater : mostAtFirst)) return undefined;
    const why = `not tried: the driver was started ${this.#barren} times in a row and died each time in its first run, so that the kit gave it up; the last time: ${failure.message}`;
    if (failure instanceof ProtocolError) return new ProtocolError(why, failure.line);
    if (failure instanceof DriverTimeout) return new DriverTimeout(why);
    // Anything else is a failure of the kit, and stays one.
    return failure instanceof DriverCrash ? new DriverCrash(why) : failure;
  }
}
