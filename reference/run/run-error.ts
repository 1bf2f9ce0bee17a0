// For callers who want exceptions: a run that did not come to a good end, as an error that says what to do.

import type { RunResult, RunStatus } from "../../schemas/types.ts";

/** A run is done, was to end here, or waits for its caller: nothing has failed. */
type GoodEnd = "completed" | "stopped" | "suspended";

const remedies: Readonly<Record<Exclude<RunStatus, GoodEnd>, string>> = {
  max_turns: "raise max_turns, or look at which calls the model repeats",
  budget: "raise budget, or choose a cheaper model",
  deadline: "raise deadline_ms, or give the slow tools a timeout_ms",
  token_limit: "raise max_total_tokens, or let the session be compacted",
  tool_call_limit: "raise max_tool_calls, or look at which calls the model repeats",
  error_limit: "look at the errors of its tools in the session, or raise max_failed_turns",
  max_tokens: "raise max_tokens of the provider, or set on_max_tokens",
  refused: "the model refused, or its answer was filtered; asking again as it is does not help",
  incomplete: "the answer ended for a reason that is not known; raw_stop_reason has the provider's word",
  guardrail: "a guardrail or a hook ended it; the result has its name",
  cancelled: "it was cancelled; its session is valid, and can be continued",
  structured_output_failed:
    "no answer had the form that output_format asks for; raise max_structured_retries, or ask for less",
  error: "",
};

/** What `orThrow` rejects with. The result, with everything that had been done by then, is in it. */
export class RunError extends Error {
  override readonly name = "RunError";
  readonly status: RunStatus;
  readonly #result: RunResult;

  constructor(result: RunResult & { status: Exclude<RunStatus, GoodEnd> }) {
    const { status, error, turns } = result;
    const what = `the run ended with status ${status} after ${turns} turn${turns === 1 ? "" : "s"}`;
    const why = error === undefined ? remedies[status] : `${error.kind}: ${error.message}`;
    super(why === "" ? what : `${what}: ${why}`, error === undefined ? {} : { cause: error });
    this.status = status;
    this.#result = result;
  }

  /** Not a field, so that an error that nobody catches is printed without all of it. */
  get result(): RunResult {
    return this.#result;
  }
}

/**
 * The result, if nothing has failed.
 * @throws RunError
 */
export function orThrow<R extends RunResult>(result: R): R {
  const { status } = result;
  if (status === "completed" || status === "stopped" || status === "suspended") return result;
  throw new RunError({ ...result, status });
}
