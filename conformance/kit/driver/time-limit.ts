// Limits of time on a machine that has other things to do: one is over for what was not done, and not for what could not be done.

import { heldUpMs } from "./held-up.ts";

/**
 * How often a limit may be added to itself for time in which the machine let nobody run: a driver that is only slow on a busy machine
 * does not hang, and one that hangs is found on any.
 */
const mostExcused = 4;

/** What a timer can wait for, in milliseconds; what may take longer is looked at in between. */
const longestTimer = 2 ** 31 - 1;

/** So many milliseconds from now on, and as many more as do not count. */
export class TimeLimit {
  readonly #ms: number;
  #since = performance.now();
  #excused = 0;

  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Begins anew. */
  restart(): void {
    this.#since = performance.now();
    this.#excused = 0;
  }

  /** These milliseconds do not count: the machine let nobody run. */
  excuse(ms: number): void {
    this.#excused += ms;
  }

  /** How many milliseconds are left; none when it is over. */
  get leftMs(): number {
    const endsAt = this.#since + this.#ms + Math.min(this.#excused, mostExcused * this.#ms);
    return Math.max(0, endsAt - performance.now());
  }
}

/** The watch over some limits, until one is over, or `end`. */
export class TimeWatch {
  readonly #limits: readonly TimeLimit[];
  readonly #over: (limit: TimeLimit) => void;
  readonly #heldUpMs: () => number;
  #heldUpBefore: number;
  #timer: NodeJS.Timeout | undefined;
  #hasEnded = false;

  /**
   * @param over called once, with the limit that is over
   * @param heldUpMs how long those that are waited for, and the kit, have waited for a processor so far, which is the fault of none
   */
  constructor(limits: readonly TimeLimit[], over: (limit: TimeLimit) => void, heldUpMs: () => number) {
    this.#limits = limits;
    this.#over = over;
    this.#heldUpMs = heldUpMs;
    this.#heldUpBefore = heldUpMs();
    this.#wait();
  }

  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
  }

  #wait(): void {
    const leftMs = Math.min(...this.#limits.map((limit) => limit.leftMs));
    this.#timer = setTimeout(() => void this.#check(), Math.min(leftMs + 1, longestTimer));
  }

  async #check(): Promise<void> {
    // Where the kit itself was held up, what has come meanwhile is read before anything is missed.
    for (let turn = 0; turn < 2; turn += 1) await new Promise((read) => setImmediate(read));
    if (this.#hasEnded) return;
    this.#excuse();
    const over = this.#limits.find(({ leftMs }) => leftMs === 0);
    if (over) this.#over(over);
    else this.#wait();
  }

  /** Looks how long nobody could run since it looked before. */
  #excuse(): void {
    const now = this.#heldUpMs();
    const more = Math.max(0, now - this.#heldUpBefore);
    this.#heldUpBefore = now;
    for (const limit of this.#limits) limit.excuse(more);
  }
}

/**
 * Whether something comes from a process before a limit is over.
 * @param pid the process; absent where it is none of its own
 * @throws what it fails with
 */
export async function comesBefore(
  coming: Promise<unknown>,
  limit: TimeLimit,
  pid: number | undefined,
): Promise<boolean> {
  const { promise: missed, resolve } = Promise.withResolvers<boolean>();
  const watch = new TimeWatch(
    [limit],
    () => resolve(false),
    () => heldUpMs([pid, process.pid]),
  );
  try {
    return await Promise.race([coming.then(() => true), missed]);
  } finally {
    watch.end();
  }
}
