// Waits for something, but not longer than a signal permits.

/**
 * What the work comes to, or what `onAbort` returns if the signal is aborted first. Nothing is left on the signal: it may
 * outlive many of these.
 */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal, onAbort: () => T | Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => void (async () => onAbort())().then(resolve, reject);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    // What ends first counts, also while `onAbort` is under way.
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
