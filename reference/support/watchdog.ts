// Notices what takes too long, with one timer for everything that is watched.

import type { Clock } from "./clock.ts";

/** A timer per watched thing would cost more than most of them take. */
export class Watchdog {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #watched = new Set<{ until: number; expire: () => void }>();
  #timer: AbortController | undefined;

  /** @param ms how long a thing may take, in milliseconds */
  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#ms = ms;
  }

  /** Calls `expire` once, unless the returned function was called before the time is over. */
  watch(expire: () => void): () => void {
    const one = { until: this.#clock.now() + this.#ms, expire };
    this.#watched.add(one);
    if (!this.#timer) void this.#wait(this.#ms);
    return () => void this.#watched.delete(one);
  }

  /** Ends the timer. */
  release(): void {
    this.#timer?.abort(RELEASED);
    this.#watched.clear();
  }

  async #wait(ms: number): Promise<void> {
    this.#timer = new AbortController();
    for (let left = ms; left > 0; left = this.#expireDue()) await this.#clock.sleep(left, this.#timer.signal);
    this.#timer = undefined;
  }

  /** How long until the next one is due, in milliseconds; 0 if nothing is watched. */
  #expireDue(): number {
    const now = this.#clock.now();
    let next = Infinity;
    for (const one of this.#watched) {
      if (one.until > now) next = Math.min(next, one.until - now);
      else if (this.#watched.delete(one)) one.expire();
    }
    return next === Infinity ? 0 : next;
  }
}

/** A constant reason: the default one is a new error each time, with a stack trace. */
const RELEASED = "released";
