// Checks what a driver hands over against what happened so far, so that losses are attributed to the right driver.

import type { Failure, Message, RunResponse } from "../../../schemas/types.ts";
import { sumOf } from "../checks/result.ts";
import { checkSession } from "../checks/session.ts";
import { breach } from "../base/failures.ts";
import { matchData } from "../base/matcher.ts";
import type { Observation } from "../observed/observation.ts";

/** How many answers there are, by the path of a run; a run that is not there has none. */
export type AnswerCounts = ReadonlyMap<string, number>;

/** How many answers the run and those of its subagents have by now. */
export function answersSoFar(seen: Observation): AnswerCounts {
  return new Map([seen, ...seen.subruns].map(({ path, answers }) => [path.join(), answers.length]));
}

/** What there was before a leg. */
export interface Before {
  /** Messages of the session that was handed over. */
  messages: number;
  /** Answers of the model to each run, that of a subagent too, before the run that the leg is, or that it resumes. */
  answers: AnswerCounts;
}

/** Everything that is wrong with what a leg added. The part that was handed over is checked elsewhere. */
export function checkLeg(
  answer: Required<Pick<RunResponse, "result" | "session">>,
  before: Before,
  seen: Observation,
): Failure[] {
  const then: Observation = { ...seen, results: [...seen.results, answer] };
  const ofSession = [...checkSession(then), ...checkSealed(answer, then)];
  const isAdded = ({ path = "" }: Failure) => !(Number(path.split("/")[2]) < before.messages);
  return [...ofSession.filter(isAdded), ...checkUsage(answer, before.answers, then)];
}

/** What a provider needs back with thinking: on the wire its form is up to the adapter, but it must be there. @see PROVIDER-7 */
function checkSealed(
  { session: { messages } }: Required<Pick<RunResponse, "result" | "session">>,
  { expected, variant }: Observation,
): Failure[] {
  if (variant.seam === "generic") return [];
  return expected.messages(messages).flatMap((wanted, index) => {
    const actual = messages[index];
    if (!isSealed(wanted) || actual === undefined || isSealed(actual)) return [];
    const path = `/messages/${index}/opaque`;
    const message = `what the provider needs back with thinking is not in the session: ${path}`;
    return [breach("PROVIDER-7", message, { path, expected: opaqueOf(wanted), received: opaqueOf(actual) ?? null })];
  });
}

/** Whether a message has more of its maker than the name. */
function isSealed(message: Message): boolean {
  return Object.keys(opaqueOf(message) ?? {}).some((key) => key !== "provider" && key !== "model");
}

function opaqueOf(message: Message): object | undefined {
  return "opaque" in message ? (message.opaque as object | undefined) : undefined;
}

/** What its subagents took is part of what a run took. @see RESULT-4 SUBAGENT-10 */
function checkUsage(
  { result }: Required<Pick<RunResponse, "result" | "session">>,
  before: AnswerCounts,
  seen: Observation,
): Failure[] {
  if (seen.disturbed || seen.expected.isOpen || result.status === "error") return [];
  const answers = [seen, ...seen.subruns].flatMap((run) => run.answers.slice(before.get(run.path.join()) ?? 0));
  const expected = sumOf(answers.flatMap(({ response }) => response?.usage ?? []));
  if (matchData(expected, result.usage, "", true).length === 0) return [];
  const message = "the usage is not what the model reported in this turn";
  return [breach("RESULT-4", message, { path: "/result/usage", expected, received: result.usage })];
}
