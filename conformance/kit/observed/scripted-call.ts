// Finds the call that a tool was executed for, where the loop does not tell its tools the ids of their calls.

import { isDeepStrictEqual } from "node:util";
import type { Observation } from "./observation.ts";

/** The id of the first call of that name that was not executed yet, of those with these arguments if there are any; "" if there is none. */
export function scriptedCall({ expected, executions }: Observation, name: string, input: unknown): string {
  const executed = new Set(executions.map(({ id }) => id));
  const open = (expected.batches.at(-1) ?? []).filter((call) => call.name === name && !executed.has(call.id));
  return (open.find((call) => isDeepStrictEqual(call.input, input)) ?? open[0])?.id ?? "";
}
