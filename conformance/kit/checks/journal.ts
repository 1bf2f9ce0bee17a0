// Checks the journal of a run against what the run came to, and what a process that ended left against what is said of it.

import type { Failure, RunResult, Session } from "../../../schemas/types.ts";
import { breach } from "../base/failures.ts";
import { matchData } from "../base/matcher.ts";
import { describeProblems, validate } from "../base/validate.ts";
import { foldJournal } from "../observed/journal-fold.ts";
import type { Observation, ObservedJournal } from "../observed/observation.ts";

/** Everything that is wrong with the journal of a finished run. */
export function checkJournal({ journal, results, filled }: Observation): Failure[] {
  const { result, session } = results.at(-1) ?? {};
  if (!journal || !result || !session) return [];
  // A run that was under way may end for its configuration, too. [LOOP-59 LOOP-78 LOOP-81 LOOP-122]
  if (result.error?.kind === "configuration" && !journal.isUnderWay) return checkRefused(journal);
  const interrupted = checkInterrupted(journal, session);
  // Of what could not be written nothing is known.
  const { taken, fails } = filled.case.given.journal ?? {};
  return taken || fails ? interrupted : [...checkFold(journal, result, session), ...interrupted];
}

/** @see JOURNAL-12 */
function checkRefused({ appendedLast }: ObservedJournal): Failure[] {
  if (appendedLast === 0) return [];
  const message = `a run that was refused has written ${appendedLast} records`;
  return [breach("JOURNAL-12", message, { expected: 0, received: appendedLast })];
}

/** @see JOURNAL-1 */
function checkFold({ records }: ObservedJournal, result: RunResult, session: Session): Failure[] {
  const { snapshot } = foldJournal(records);
  if (!snapshot) return [breach("JOURNAL-1", "the run has written no begin")];
  const problems = validate("Snapshot", snapshot);
  if (problems.length > 0)
    return [breach("JOURNAL-1", `the fold of the records is no snapshot: ${describeProblems(problems)}`)];
  const { phase, turn, steps } = snapshot;
  const expected = {
    session,
    phase: result.status === "suspended" ? "suspended" : "done",
    turn: result.turns,
    steps: result.steps.map((step) => ({ turn: step.turn, usage: step.usage, tool_calls: step.tool_calls })),
  };
  return matchData(expected, { session: snapshot.session, phase, turn, steps })
    .slice(0, 3)
    .map(({ path, expected: wanted, received, message }) =>
      breach("JOURNAL-1", `the fold of the records is not what the run returned: ${path} ${message}`, {
        path,
        expected: wanted,
        received,
      }),
    );
}

/** A call that was executed, and of which nobody knows how far, is said to be just that. @see JOURNAL-9 */
function checkInterrupted({ interrupted }: ObservedJournal, { messages }: Session): Failure[] {
  return messages.flatMap((message) => {
    if (message.type !== "tool_result" || !interrupted.has(message.id)) return [];
    if (!message.synthetic || message.outcome === "interrupted") return [];
    const what = `the call ${message.id} was executed by a process that has ended, and is answered ${message.outcome}`;
    return [breach("JOURNAL-9", what, { expected: "interrupted", received: message.outcome })];
  });
}
