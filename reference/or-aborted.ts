// Waits for something, but not longer than a signal permits.

/**
 * What the work comes to, or what `onAbort` returns if the signal is aborted first. Nothing is left on the signal: it may
 * outlive many of these.
 */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal, onAbort: () => T | Promise<T>): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  const abort = () => resolve(onAbort());
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, work]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
