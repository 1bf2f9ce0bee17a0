// A conversation over a stream of inputs: each one is a whole run.

import { agentLoop, type Run, type RunSetup } from "../run/run.ts";
import type { Part, Session } from "../../schemas/types.ts";

/**
 * Runs the agent once for each input, one after another: the input is appended as a user message to the session that the run
 * before left. Yields each run when it starts, so that it can be watched, and takes the next input when it has ended; whoever
 * stops iterating cancels the run that is under way. Returns the session.
 *
 * A run that suspends leaves calls without results; the run of the next input is then refused with `invalid_session`.
 * @see LOOP-73
 */
export async function* streamInput(
  setup: RunSetup & { session: Session },
  inputs: AsyncIterable<string | Part[]> | Iterable<string | Part[]>,
): AsyncGenerator<Run, Session, undefined> {
  let { session } = setup;
  for await (const content of inputs) {
    const run = agentLoop({ ...setup, session, input: content });
    try {
      yield run;
      session = await run.session;
    } finally {
      run.cancel(); // a run that has ended does not notice
      await run.result; // from now on the session is free
    }
  }
  return session;
}
