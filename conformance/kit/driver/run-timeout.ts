// Times out a run in flight that is silent for too long, or takes too long in total.

/** How long a run may take, in milliseconds. */
export interface RunTimes {
  /** Without a sign of life. */
  idleMs: number;
  /** In all. */
  totalMs: number;
}

/**
 * How often a limit may be added to itself for time in which the machine let nobody run: a driver that is only slow on a busy machine
 * does not hang, and one that hangs is found on any.
 */
const mostExcused = 4;

/** What a timer can wait for, in milliseconds; a run that may take longer is looked at in between. */
const longestTimer = 2 ** 31 - 1;

/** The watch over one run, until `end`. */
export class RunWatch {
  readonly #times: RunTimes;
  readonly #giveUp: (why: string) => void;
  readonly #heldUpMs: () => number;
  readonly #startedAt = performance.now();
  #lastSignAt = this.#startedAt;
  #heldUpBefore: number;
  /** How long the machine held up driver and kit, in milliseconds: in all, and since the last sign of life. */
  #excused = 0;
  #excusedSilence = 0;
  #timer: NodeJS.Timeout | undefined;
  #hasEnded = false;

  /**
   * @param giveUp called once, with the reason
   * @param heldUpMs how long driver and kit have waited for a processor so far, which is the fault of neither
   */
  constructor(times: RunTimes, giveUp: (why: string) => void, heldUpMs: () => number = () => 0) {
    this.#times = times;
    this.#giveUp = giveUp;
    this.#heldUpMs = heldUpMs;
    this.#heldUpBefore = heldUpMs();
    this.#wait();
  }

  /** The run gave a sign of life. */
  sign(): void {
    this.#lastSignAt = performance.now();
    this.#excusedSilence = 0;
  }

  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
  }

  #wait(): void {
    this.#timer = setTimeout(() => void this.#check(), Math.min(this.#left() + 1, longestTimer));
  }

  #left(): number {
    return Math.min(this.#silentUntil, this.#lastsUntil) - performance.now();
  }

  get #silentUntil(): number {
    const { idleMs } = this.#times;
    return this.#lastSignAt + idleMs + Math.min(this.#excusedSilence, mostExcused * idleMs);
  }

  get #lastsUntil(): number {
    const { totalMs } = this.#times;
    return this.#startedAt + totalMs + Math.min(this.#excused, mostExcused * totalMs);
  }

  /** Looks how long nobody could run since it looked before. Signs come too often to look at each. */
  #excuse(): void {
    const now = this.#heldUpMs();
    const more = Math.max(0, now - this.#heldUpBefore);
    this.#heldUpBefore = now;
    this.#excused += more;
    this.#excusedSilence += more;
  }

  async #check(): Promise<void> {
    // Where the kit itself was held up, what the driver has said meanwhile is read before it is judged.
    for (let turn = 0; turn < 2; turn += 1) await new Promise((read) => setImmediate(read));
    if (this.#hasEnded) return;
    this.#excuse();
    if (this.#left() > 0) return this.#wait();
    const { idleMs, totalMs } = this.#times;
    const isSilent = performance.now() >= this.#silentUntil;
    const silent = `the run was silent for ${idleMs} ms, half of its --timeout`;
    this.#giveUp(isSilent ? silent : `the run took longer than its --timeout of ${totalMs} ms`);
  }
}
