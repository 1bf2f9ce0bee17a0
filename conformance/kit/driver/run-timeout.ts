// Times out a run in flight that is silent for too long, or takes too long in total.

/** How long a run may take, in milliseconds. */
export interface RunTimes {
  /** Without a sign of life. */
  idleMs: number;
  /** In all. */
  totalMs: number;
}

/** What a timer can wait for, in milliseconds; a run that may take longer is looked at in between. */
const longestTimer = 2 ** 31 - 1;

/** The watch over one run, until `end`. */
export class RunWatch {
  readonly #times: RunTimes;
  readonly #giveUp: (why: string) => void;
  readonly #startedAt = performance.now();
  #lastSignAt = this.#startedAt;
  #timer: NodeJS.Timeout | undefined;
  #hasEnded = false;

  /** @param giveUp called once, with the reason */
  constructor(times: RunTimes, giveUp: (why: string) => void) {
    this.#times = times;
    this.#giveUp = giveUp;
    this.#wait();
  }

  /** The run gave a sign of life. */
  sign(): void {
    this.#lastSignAt = performance.now();
  }

  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
  }

  #wait(): void {
    this.#timer = setTimeout(() => void this.#check(), Math.min(this.#left() + 1, longestTimer));
  }

  #left(): number {
    const { idleMs, totalMs } = this.#times;
    return Math.min(this.#lastSignAt + idleMs, this.#startedAt + totalMs) - performance.now();
  }

  async #check(): Promise<void> {
    // Where the kit itself was held up, what the driver has said meanwhile is read before it is judged.
    for (let turn = 0; turn < 2; turn += 1) await new Promise((read) => setImmediate(read));
    if (this.#hasEnded) return;
    if (this.#left() > 0) return this.#wait();
    const { idleMs, totalMs } = this.#times;
    const isSilent = performance.now() - this.#lastSignAt >= idleMs;
    const silent = `the run was silent for ${idleMs} ms, half of its --timeout`;
    this.#giveUp(isSilent ? silent : `the run took longer than its --timeout of ${totalMs} ms`);
  }
}
