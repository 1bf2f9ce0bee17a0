// Tells where a foreign loop has left a whole call undone and reported success: then nothing can be said of what a case wanted to see after it.

import type { Failure } from "../../../schemas/types.ts";
import { isWireDriver } from "../suite/wire-driver.ts";
import type { Observation } from "../observed/observation.ts";
import { doubtfulIds } from "./by-containment.ts";
import type { Tested } from "./tested.ts";

/** Whether the last response asked for tools, none of its calls was executed, and the run completed as if there had been none. */
export function ignoresCalls(seen: Observation): boolean {
  const { driver, ended, requests, filled, expected, executions, answers } = seen;
  if (!isWireDriver(driver) || ended !== "completed" || requests.length >= filled.case.model.length) return false;
  if (answers.at(-1)?.stopReason !== "tool_use" || doubtfulIds(seen) !== undefined) return false;
  const calls = expected.batches.at(-1) ?? [];
  const executed = new Set(executions.map(({ id }) => id));
  return calls.length > 0 && calls.every(({ id, input }) => input !== null && !executed.has(id));
}

/**
 * What is missing after that is missing because of it, where the case tests what must not happen, or what a provider refuses.
 * @see LOOP-5
 */
export function withoutWhatNeverCame(
  failures: readonly Failure[],
  seen: Observation,
  { requirement, severity }: Tested,
): Failure[] {
  if ((severity !== "executes" && severity !== "bricks") || !ignoresCalls(seen)) return [...failures];
  return failures.map((failure) =>
    failure.requirement === requirement && (failure.code === "assertion" || failure.code === "script_not_consumed")
      ? { ...failure, requirement: "LOOP-5" }
      : failure,
  );
}
