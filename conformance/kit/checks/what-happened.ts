// Says in one sentence what a breach is to the user: who did what to them, before which field differs.

import type { Failure } from "../../../schemas/types.ts";
import type { Execution, Observation } from "../observed/observation.ts";

/** Why a call may not be executed by which requirement, as the end of a sentence: `it was executed although …`. */
export const forbidden: Readonly<Record<string, string>> = {
  "LOOP-9": "although the response that asked for it was cut off",
  "LOOP-13": "although the model stopped at a stop sequence",
  "LOOP-15": "although the response that asked for it was refused or filtered",
  "LOOP-17": "although nobody knows why the model stopped",
  "LOOP-19": "although the response that asked for it never ended",
  "TOOL-3": "although its arguments were cut off, or are no JSON object",
  "TOOL-5": "although its arguments break its schema",
};

/**
 * The sentence for people: of what was executed where it is known; of an expectation that does not hold what it means, or what should
 * have been; else what the check says, which is such a sentence.
 * @param without what happens to a user without the requirement; absent where that is not said
 */
export function whatHappened(
  requirement: string,
  { code, message }: Failure,
  without: string | undefined,
  seen: Observation | undefined,
): string {
  const why = forbidden[requirement];
  const named = /^tool (.+?) was executed/.exec(message)?.[1];
  const wrong = why === undefined || !seen ? undefined : (named ?? unwanted(seen)?.name);
  if (wrong) return `${wrong} was executed ${why}`;
  if (code !== "assertion" || !seen) return message;
  return without ?? `not so: ${seen.filled.case.title}`;
}

/** The first execution that the case does not want; undefined if there is none. */
function unwanted({ executions, filled }: Observation): Execution | undefined {
  const { tools } = filled.case.expect;
  if (!Array.isArray(tools)) return executions.at(-1);
  const wanted = tools.map((tool) => (typeof tool === "string" ? tool : (tool as { name?: unknown }).name));
  return executions.find(({ name }, index) => wanted[index] !== name);
}
