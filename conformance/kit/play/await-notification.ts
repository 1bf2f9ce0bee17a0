// Waits for what a driver has to tell, and gives a slow driver longer.

/** How often a driver that says nothing is asked for a barrier, and how long it has each time, in milliseconds. */
const limit = { rounds: 10, ms: 200 };

/**
 * Resolves with `news`, and at the latest when the driver had time enough for it. A busy machine makes its driver slow: what it takes to
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
