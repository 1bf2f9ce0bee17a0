// Time as a parameter: the real clock, and a virtual one that moves only by `advance`.

/** The loop's source of time. */
export interface Clock {
  /** Milliseconds since a fixed moment. */
  now(): number;
  /** Resolves after `ms` milliseconds, or never if `signal` is aborted first, which also clears the timer. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const realClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return;
      const forget = () => clearTimeout(timer);
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", forget);
        resolve();
      }, ms);
      signal?.addEventListener("abort", forget, { once: true });
    }),
};

/** A clock for tests: it stands still until `advance` moves it. */
export interface VirtualClock extends Clock {
  /** Moves the clock forward, and resolves the sleeps that are due, earliest first. */
  advance(ms: number): void;
}

export function virtualClock(start = 0): VirtualClock {
  let now = start;
  const sleepers = new Set<{ at: number; wake: () => void }>();
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return;
        const forget = () => sleepers.delete(sleeper);
        const wake = () => {
          signal?.removeEventListener("abort", forget);
          resolve();
        };
        const sleeper = { at: now + ms, wake };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", forget, { once: true });
      }),
    advance(ms) {
      now += ms;
      const due = [...sleepers].filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
      for (const sleeper of due) {
        sleepers.delete(sleeper);
        sleeper.wake();
      }
    },
  };
}
