// Checks the one word of a driver of level wire: what went wrong is not reported as success.

import type { Failure, RunStatus } from "../../../schemas/types.ts";
import { breach } from "../base/failures.ts";
import type { Observation } from "../observed/observation.ts";

/** The endings that a caller must be able to tell from a whole answer. */
const notDone = new Set<unknown>([
  "error",
  "refused",
  "max_tokens",
  "incomplete",
  "max_turns",
  "cancelled",
] satisfies RunStatus[]);

/** @see DRIVER-24 */
export function checkEnded(seen: Observation, status: unknown, requirement: string): Failure[] {
  const { ended, requests, filled } = seen;
  // A loop that had a text that was cut off finished, has the whole of it.
  if (status === "max_tokens" && requests.length > filled.case.model.length) return [];
  if (ended !== "completed" || !notDone.has(status)) return [];
  const message = `the run was reported as completed, but its ending is ${String(status)}`;
  return [breach(requirement, message, { path: "/expect/status", expected: status, received: ended })];
}
