// A conversation over a stream of inputs: each one is a whole run.

import { agentLoop, type Run } from "../run/run.ts";
import type { Part, Session } from "../../schemas/types.ts";
import type { RunSetup } from "../run/setup.ts";

/**
 * Runs the agent once per input, one after another: the input is appended as a user message to the session of the previous
 * run. Yields each run when it starts, so that its events can be read, and takes the next input once it has ended. To stop
 * iterating cancels the current run. Returns the session.
 *
 * A suspended run leaves calls without results, so the run of the next input is refused with `invalid_session`.
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
      run.cancel(); // no effect on a run that has ended
      await run.result; // from now on the session is free
    }
  }
  return session;
}
