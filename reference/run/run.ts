// The public API of the loop: runs, whose code is loaded with the first of them.

import { sessionOf, type SessionOrInput } from "../state/edit-session.ts";
import type { Journal } from "../state/journal-records.ts";
import type { ResumeDecision, Snapshot } from "../../schemas/types.ts";
import { runner, type Executor, type Run } from "./open-run.ts";
import type { RunSetup } from "./setup.ts";
import { turnTaker } from "./take-turn.ts";

export { openRun, type Run } from "./open-run.ts";

/**
 * Runs an agent on a session until it is done, a limit is reached, or the run is cancelled. `input` is appended to the session
 * first; without a session, a new one is created.
 *
 * @see LOOP-1
 */
export function agentLoop<Output = unknown>(setup: RunSetup<Output> & SessionOrInput): Run<Output> {
  return start<Output>({ session: sessionOf(setup) }, setup); // a copy of its list [SESSION-3]
}

/**
 * Continues a suspended run, in this process or in another, with one decision for each pending call.
 * @see LOOP-36
 */
export function resume(setup: RunSetup & { snapshot: Snapshot; decisions: ResumeDecision[] }): Run {
  return start(setup, setup);
}

/**
 * Continues a run whose process ended, from its journal, as if it had not: a tool that was running is started again only if it is
 * idempotent. If the run had ended, it returns the same result; if it was suspended, the same pending calls.
 * The setup is that of the run, except for its session, options, active agent and context, which come from the journal.
 * @see JOURNAL-6
 */
export function recover(setup: RunSetup & { journal: Journal }): Run {
  return start({ journal: setup.journal }, setup);
}

/**
 * Takes one turn of a run that its journal has, or begins it on the session or the input, and returns. Call it again, in this process
 * or in another, until it returns a result.
 * @returns the result, if the run has ended or is suspended; undefined while there is another turn to take
 * @see JOURNAL-6
 */
export const takeTurn = turnTaker((source, setup) => start(source, setup));

/** Loaded with the first run: importing the package stays cheap, and iterators can be created first. */
let executor: Promise<Executor> | undefined;

const start = runner(() => (executor ??= load()));

async function load(): Promise<Executor> {
  const [{ executeRun }, { validateBySchema }] = await Promise.all([
    import("./execute-run.ts"),
    import("../tools/validate-by-schema.ts"),
  ]);
  return (source, setup, controls) => executeRun(source, setup, controls, validateBySchema);
}
