// How long a session stays with a writer that gives no sign of life.

import { realClock, type Clock } from "../support/clock.ts";

/** What every store takes. */
export interface LeaseOptions {
  /**
   * How long a session stays with a writer that gives no sign of life, in milliseconds. Default: 30,000. The store gives one three
   * times as often, as long as the session is open and the process runs. A short lease is taken over sooner after a crash; a process
   * that stands still for longer loses its sessions, and is refused.
   * @see JOURNAL-28
   */
  leaseMs?: number;
  /** Says what time it is. The clocks of all writers of a store have to agree to within a fraction of the lease. */
  clock?: Pick<Clock, "now">;
}

/** A lease with its defaults. */
export interface Lease {
  ms: number;
  now(): number;
}

export function leaseOf({ leaseMs: ms = 30_000, clock = realClock }: LeaseOptions): Lease {
  if (Number.isFinite(ms) && ms > 0) return { ms, now: () => clock.now() };
  throw new Error(`Expected a lease of more than 0 ms, got ${ms}.`);
}

/** Renews a lease three times while it lasts. Keeps no process alive. @returns what stops it */
export function heartbeat(ms: number, renew: () => Promise<unknown>): () => void {
  const beat = () => void renew().catch(() => {}); // the next append finds out what is wrong
  const timer = setInterval(beat, Math.ceil(ms / 3));
  timer.unref();
  return () => clearInterval(timer);
}
