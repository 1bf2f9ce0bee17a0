// Checks the one word of a driver of level wire: what went wrong is not reported as success.

import type { Failure, RunStatus } from "../../../schemas/types.ts";
import { breach } from "../base/failures.ts";
import type { Tested } from "./tested.ts";
import type { Observation } from "../observed/observation.ts";

/** The requirements by which a caller learns how a run ended, and can distinguish that from a whole answer. */
const endingRequirements: Partial<Record<RunStatus, (seen: Observation) => string>> = {
  // A model that failed, or else a tool or a call of which it was given no result.
  error: ({ disturbed }) => (disturbed ? "LOOP-18" : "TOOL-49"),
  refused: () => "LOOP-14",
  max_tokens: () => "LOOP-27",
  incomplete: () => "LOOP-27",
  max_turns: () => "LOOP-27",
  cancelled: () => "LOOP-27",
};

/**
 * A wrong word breaks what the case tests if that is about reporting, else the requirement about the word: a loop that
 * executes what it should not is not the one that reports afterwards that all went well.
 * @param tested what the case tests, and the severity of that
 * @see DRIVER-24
 */
export function checkEnded(seen: Observation, status: unknown, tested: Tested): Failure[] {
  const { ended, requests, filled } = seen;
  // A loop that had a text that was cut off finished, has the whole of it.
  if (status === "max_tokens" && requests.length > filled.case.model.length) return [];
  const ending = endingRequirements[status as RunStatus];
  if (ended !== "completed" || !ending) return [];
  const requirement = tested.severity === "misreports" ? tested.requirement : ending(seen);
  const message = `the run was reported as completed, but its ending is ${String(status)}`;
  return [breach(requirement, message, { path: "/expect/status", expected: status, received: ended })];
}
