// Awaits a promise until a signal aborts.

/**
 * The result of the work, or that of `onAbort` if the signal is aborted first. Leaves no listener on the signal, which may
 * outlive many calls.
 */
export function raceAbort<T>(work: Promise<T>, signal: AbortSignal, onAbort: () => T | Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => void (async () => onAbort())().then(resolve, reject);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    // The first to settle wins, even while `onAbort` is pending.
    work.then(
      (value) => {
        signal.removeEventListener("abort", abort);
        resolve(value);
      },
      (error: unknown) => {
        signal.removeEventListener("abort", abort);
        reject(error as Error);
      },
    );
  });
}
