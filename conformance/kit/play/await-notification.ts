// Waits for what a driver has to tell, and gives a slow driver longer.

/** How often a driver that says nothing is asked for a barrier, and how long it has each time, in milliseconds. */
const patience = { rounds: 10, ms: 200 };

/**
 * Resolves with `news`, and at the latest when the driver had time enough for it. A busy machine makes its driver slow: what it takes to
 * answer a barrier does not count.
 */
export async function untilTold(news: Promise<unknown>, barrier: () => Promise<void>): Promise<void> {
  let hasCome = false;
  const came = news.then(() => (hasCome = true));
  for (let round = 0; round < patience.rounds && !hasCome; round++) {
    const pause = Promise.withResolvers<void>();
    const timer = setTimeout(pause.resolve, patience.ms);
    await Promise.race([came, pause.promise]);
    clearTimeout(timer);
    if (!hasCome) await barrier();
  }
}
