// Checks a run against the function that makes its instructions: evaluated once per turn, and sent as returned.

import type { Failure } from "../../../schemas/types.ts";
import { breach } from "../base/failures.ts";
import { matchData } from "../base/matcher.ts";
import type { Observation } from "../observed/observation.ts";
import { reports } from "../suite/variant.ts";

/** The instructions that the next request has to carry, if a function makes them. */
export function madeInstructions(seen: Observation): string | undefined {
  const text = seen.instructions.at(-1)?.text;
  return text === "" ? undefined : text;
}

/** Which request, counted from 1, was the last of a turn before the n-th: what asks for a summary belongs to none. 0 if there was none. */
export function lastTurnRequest({ requests }: Observation, number: number): number {
  return requests.slice(0, number - 1).findLastIndex(({ summary }) => !summary) + 1;
}

/** Whether the n-th request, counted from 1, had its instructions made for it. @see LOOP-74 */
export function checkEvaluated(seen: Observation, number: number): Failure[] {
  if (!seen.filled.case.given.dynamic_instructions || seen.requests[number - 1]?.summary) return [];
  const last = lastTurnRequest(seen, number);
  const made = seen.instructions.filter(({ before }) => before > last && before <= number).length;
  // A try after a failure, and what follows a pause, are of the same turn.
  const mayGoOn = seen.disturbed || seen.answers.at(-1)?.stopReason === "pause";
  if (made === 1 || (made === 0 && number > 1 && mayGoOn)) return [];
  return [breach("LOOP-74", `the instructions of model request ${number} were evaluated ${made} times`)];
}

/** @see LOOP-77 */
export function checkMade(seen: Observation): Failure[] {
  const result = seen.results.at(-1)?.result;
  if (!seen.filled.case.given.dynamic_instructions || !reports(seen.driver, "result") || !result || seen.disturbed)
    return [];
  const expected = seen.instructions.map(({ text }) => text);
  const received = result.steps.map(({ system }) => system);
  if (matchData(expected, received, "", true).length === 0) return [];
  return [
    breach("LOOP-77", "the steps report instructions that differ from the evaluated ones", { expected, received }),
  ];
}
