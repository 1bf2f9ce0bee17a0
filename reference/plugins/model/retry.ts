// A failed model call is tried again, and then asked of another model. Wraps `invokeModel`.

import type { Clock } from "../../support/clock.ts";
import type { EventBody, InvokeModel, ModelCall, State } from "../../core/ports.ts";
import { count, counted } from "../../state/counters.ts";
import { raceAbort } from "../../support/until-aborted.ts";
import type {
  ErrorKind,
  FailedAttempt,
  LoopError,
  ModelRequest,
  ModelResponse,
  RunOptions,
} from "../../../schemas/types.ts";
import type { Plugin, RunContext } from "../plugin.ts";

export interface RetrySetup {
  /** A number from 0 to 1, for the jitter of retries. Default: Math.random. */
  random?: () => number;
}

/** Asks another model for the rest of the run where one has failed for good. */
export const fallback: Plugin = {
  name: "fallback",
  options: ["fallback_models"],
  attach(run) {
    const { state, options } = run;
    if (!options.fallback_models?.length) return;
    return { aroundRequest: (next, aside) => (aside ? next : fallBack(next, state, tellIn(run))) };
  },
};

export const retry: Plugin<RetrySetup> = {
  name: "retry",
  options: ["max_retries", "max_retry_delay_ms"],
  setup: ["random"],
  attach(run) {
    const { options, clock, setup } = run;
    const { random = Math.random } = setup;
    // Outside of a turn there is nothing to tell: what was tried, and waited for, is in the report. [COMPACT-17]
    const tell = tellIn(run);
    return {
      aroundRequest: (next, aside) => retryFailed(next, options, { clock, random, tell: aside ? () => {} : tell }),
    };
  },
};

function tellIn(run: RunContext): Retrying["tell"] {
  return (event) => run.emit({ ...event, turn: run.turn });
}

interface Retrying {
  clock: Clock;
  /** A number from 0 to 1, for the jitter of waits. */
  random(): number;
  tell(event: RetryEvent): void;
}

type Told = Extract<EventBody, { type: "retry" | "fallback" | "wait_start" | "wait_end" }>;
type RetryEvent = Told extends infer E ? (E extends Told ? Omit<E, "turn"> : never) : never;

/** Errors that another attempt may not meet. @see RETRY-1 */
const TRANSIENT: ErrorKind[] = ["rate_limit", "overloaded", "server_error", "timeout", "network", "stream_interrupted"];
/** Errors that another model may not meet. @see RETRY-7 */
const MODEL_SPECIFIC: ErrorKind[] = ["rate_limit", "overloaded", "server_error", "timeout", "network"];

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;

/**
 * Tries a failed call again, at most `max_retries` times, unless the consumer has already seen some of the answer.
 * Failed attempts are listed in the response. A cancel ends the waiting.
 * @see RETRY-1 RETRY-2 RETRY-3 RETRY-4 RETRY-5
 */
export function retryFailed(
  invokeModel: InvokeModel,
  options: RunOptions,
  { clock, random, tell }: Retrying,
): InvokeModel {
  const { max_retries = 2, max_retry_delay_ms = 60_000 } = options;
  return async (request, call) => {
    const attempts: FailedAttempt[] = [];
    for (;;) {
      const response = await heard(invokeModel, request, call);
      const { error } = response;
      const wait_ms = error && waitAfter(error, attempts.length, random);
      const isLast = attempts.length >= max_retries || wait_ms === undefined || wait_ms > max_retry_delay_ms;
      if (!error || response.spoke || isLast || !isTransient(error) || call.signal.aborted)
        return listing(response, attempts);
      attempts.push({ ...failed(request, response), error, wait_ms });
      tell({ type: "retry", attempt: attempts.length, wait_ms, error });
      tell({ type: "wait_start", wait_ms });
      const hasSlept = await slept(wait_ms, clock, call.signal);
      tell({ type: "wait_end" });
      if (!hasSlept) return listing(response, attempts.slice(0, -1));
    }
  };
}

/**
 * Asks the next model of `fallback_models` when one has failed for good; the one that answered is asked for the rest of the run,
 * or until another model is asked for.
 * @see RETRY-7 RETRY-8 LOOP-66
 */
export function fallBack(invokeModel: InvokeModel, state: State, tell: Retrying["tell"]): InvokeModel {
  const { fallback_models = [] } = state.options;
  let before: ModelRequest | undefined;
  return async (request, call) => {
    if (before && request.model !== before.model) count(state, "fallbacks", 0);
    before = request;
    const attempts: FailedAttempt[] = [];
    for (;;) {
      const fallbacks = counted(state, "fallbacks");
      const asked = fallbacks === 0 ? request : { ...request, model: fallback_models[fallbacks - 1]! };
      const response = await heard(invokeModel, asked, call);
      const { error } = response;
      const next = fallback_models[fallbacks];
      if (
        !error ||
        response.spoke ||
        next === undefined ||
        !MODEL_SPECIFIC.includes(error.kind) ||
        call.signal.aborted
      ) {
        return listing(response, attempts);
      }
      attempts.push(...(response.attempts ?? []), { ...failed(asked, response), error });
      tell({ type: "fallback", model: next, error });
      count(state, "fallbacks", fallbacks + 1);
    }
  };
}

/** The response, and whether any of it was said before it failed: then a second try would say it twice. @see RETRY-4 */
async function heard(invokeModel: InvokeModel, request: ModelRequest, call: ModelCall) {
  let spoke = false;
  const onStream: ModelCall["onStream"] = (event) => {
    spoke = true;
    call.onStream(event);
  };
  const response = await invokeModel(request, { ...call, onStream });
  return { ...response, spoke: spoke || response.messages.length > 0 };
}

/** What is known of an attempt beside its error. */
function failed({ model }: ModelRequest, { usage }: ModelResponse): Omit<FailedAttempt, "error"> {
  const isBilled = usage && Object.values(usage).some((tokens) => tokens !== null);
  return { ...(model !== undefined && { model }), ...(isBilled && { usage }) };
}

function listing(
  { spoke: _, ...response }: ModelResponse & { spoke: boolean },
  earlier: FailedAttempt[],
): ModelResponse {
  const attempts = [...earlier, ...(response.attempts ?? [])];
  return attempts.length > 0 ? { ...response, attempts } : response;
}

function isTransient({ kind, should_retry = TRANSIENT.includes(kind) }: LoopError): boolean {
  return should_retry;
}

/** What the server asked for, or twice as long each time, up to a quarter less. @see RETRY-2 RETRY-3 */
function waitAfter({ retry_after_ms }: LoopError, failed: number, random: () => number): number {
  const backoff = Math.min(FIRST_WAIT_MS * 2 ** failed, LONGEST_WAIT_MS);
  return retry_after_ms ?? Math.round(backoff * (1 - random() / 4));
}

/** True when the time is over, false when the run was cancelled first. */
async function slept(ms: number, clock: Clock, signal: AbortSignal): Promise<boolean> {
  return raceAbort(
    clock.sleep(ms, signal).then(() => true),
    signal,
    () => false,
  );
}
