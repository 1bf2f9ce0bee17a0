// Checks that a loop announces a wait before it waits: afterwards the order can no longer be seen.

import type { Failure } from "../../../schemas/types.ts";
import { breach } from "../base/failures.ts";
import type { Observation } from "../observed/observation.ts";

/**
 * What is wrong with a loop that does nothing more until the clock moves: the wait of its last retry was not reported.
 * @see EVENT-14
 */
export function checkWaiting({ driver, events }: Pick<Observation, "driver" | "events">): Failure[] {
  if (!driver.features?.includes("retry")) return [];
  const now = events.at(-1)!;
  const last = now.findLastIndex(({ type }) => type === "retry");
  const retry = now[last];
  if (retry?.type !== "retry" || retry.wait_ms === 0) return [];
  if (now.slice(last).some(({ type }) => type === "wait_start")) return [];
  return [breach("EVENT-14", `the loop waits for ${retry.wait_ms} ms, but has not emitted wait_start`)];
}
