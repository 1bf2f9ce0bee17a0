// Waits for a notification of a driver, longer if the driver is slow.

/** How many barriers a silent driver gets, and how long each, in milliseconds. */
const limit = { rounds: 10, ms: 200 };

/**
 * Resolves with `notification`, or once the driver has had enough time for it. On a busy machine the driver is slow: the time it takes to
 * answer a barrier does not count.
 */
export async function awaitNotification(notification: Promise<unknown>, barrier: () => Promise<void>): Promise<void> {
  let hasArrived = false;
  const arrival = notification.then(() => (hasArrived = true));
  for (let round = 0; round < limit.rounds && !hasArrived; round++) {
    const pause = Promise.withResolvers<void>();
    const timer = setTimeout(pause.resolve, limit.ms);
    await Promise.race([arrival, pause.promise]);
    clearTimeout(timer);
    if (!hasArrived) await barrier();
  }
}
