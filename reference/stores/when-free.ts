// Tries a statement until no other process has the database, and lets the program run in between.

import { setTimeout as sleep } from "node:timers/promises";

/**
 * What `act` returns. While it finds the database busy, it is tried again, after 5 to 50 ms each time; everything else goes on in the
 * meantime.
 * @throws what `act` throws, also if the database is still busy after `mostMs`
 */
export async function whenFree<T>(act: () => T, mostMs: number): Promise<T> {
  const end = performance.now() + mostMs;
  for (let wait = 5; ; wait = Math.min(2 * wait, 50)) {
    try {
      return act();
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
    }
    await sleep(wait * (0.5 + Math.random() / 2)); // not in step with others who wait
  }
}

/** Whether another connection has the database: SQLITE_BUSY, SQLITE_LOCKED, and their extended codes. */
export function isBusy(error: unknown): boolean {
  const code = (error as { errcode?: unknown } | undefined)?.errcode;
  return typeof code === "number" && ((code & 0xff) === 5 || (code & 0xff) === 6);
}
