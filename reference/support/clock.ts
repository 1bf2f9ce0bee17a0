// Time as a parameter: the real clock, and one that moves only when it is told to.

/** Where the loop gets its time from. */
export interface Clock {
  /** Milliseconds since some fixed moment. */
  now(): number;
  /** Resolves after `ms` milliseconds, or never once `signal` is aborted; then no timer is left behind. */
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
  /** Moves the clock forward; everyone whose time has come wakes up, the earliest first. */
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
