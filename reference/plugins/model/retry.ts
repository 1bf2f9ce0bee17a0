// Retries a failed model call, then falls back to another model.

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

/** Calls another model for the rest of the run once one has failed permanently. */
export const fallback: Plugin = {
  name: "fallback",
  options: ["fallback_models"],
  attach(run) {
    const { state, options } = run;
    if (!options.fallback_models?.length) return;
    return { aroundRequest: (next, aside) => (aside ? next : fallBack(next, state, emitIn(run))) };
  },
};

export const retry: Plugin<RetrySetup> = {
  name: "retry",
  options: ["max_retries", "max_retry_delay_ms"],
  setup: ["random"],
  attach(run) {
    const { options, clock, setup } = run;
    const { random = Math.random } = setup;
    // Outside of a turn nothing is emitted: attempts and waits are in the report. [COMPACT-17]
    const emit = emitIn(run);
    return {
      aroundRequest: (next, aside) => retryFailed(next, options, { clock, random, emit: aside ? () => {} : emit }),
    };
  },
};

function emitIn(run: RunContext): Retrying["emit"] {
  return (event) => run.emit({ ...event, turn: run.turn });
}

interface Retrying {
  clock: Clock;
  /** A number from 0 to 1, for the jitter of waits. */
  random(): number;
  emit(event: RetryEvent): void;
}

type RetryEvents = Extract<EventBody, { type: "retry" | "fallback" | "wait_start" | "wait_end" }>;
type RetryEvent = RetryEvents extends infer E ? (E extends RetryEvents ? Omit<E, "turn"> : never) : never;

/** Errors that another attempt may avoid. @see RETRY-1 */
const TRANSIENT: ErrorKind[] = ["rate_limit", "overloaded", "server_error", "timeout", "network", "stream_interrupted"];
/** Errors that another model may avoid. @see RETRY-7 RETRY-15 */
const MODEL_SPECIFIC: ErrorKind[] = ["rate_limit", "quota", "overloaded", "server_error", "timeout", "network"];

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;

/**
 * Retries a failed call, at most `max_retries` times, unless some of its output was already emitted.
 * Failed attempts are listed in the response. A cancel ends the wait.
 * @see RETRY-1 RETRY-2 RETRY-3 RETRY-4 RETRY-5
 */
export function retryFailed(
  invokeModel: InvokeModel,
  options: RunOptions,
  { clock, random, emit }: Retrying,
): InvokeModel {
  const { max_retries = 2, max_retry_delay_ms = 60_000 } = options;
  return async (request, call) => {
    const attempts: FailedAttempt[] = [];
    for (;;) {
      const response = await attempt(invokeModel, request, call);
      const { error } = response;
      const wait_ms = error && waitAfter(error, attempts.length, random);
      const isLast = attempts.length >= max_retries || wait_ms === undefined || wait_ms > max_retry_delay_ms;
      if (!error || response.hasOutput || isLast || !isTransient(error) || call.signal.aborted)
        return listing(response, attempts);
      attempts.push({ ...failed(request, response), error, wait_ms });
      emit({ type: "retry", attempt: attempts.length, wait_ms, error });
      emit({ type: "wait_start", wait_ms });
      const hasSlept = await slept(wait_ms, clock, call.signal);
      emit({ type: "wait_end" });
      if (!hasSlept) return listing(response, attempts.slice(0, -1));
    }
  };
}

/**
 * Calls the next model of `fallback_models` when one has failed permanently; the one that succeeds is called for the rest of the
 * run, or until the run switches models.
 * @see RETRY-7 RETRY-8 LOOP-66
 */
export function fallBack(invokeModel: InvokeModel, state: State, emit: Retrying["emit"]): InvokeModel {
  const { fallback_models = [] } = state.options;
  return async (request, call) => {
    const attempts: FailedAttempt[] = [];
    for (;;) {
      const fallbacks = counted(state, "fallbacks");
      const current = fallbacks === 0 ? request : { ...request, model: fallback_models[fallbacks - 1]! };
      const response = await attempt(invokeModel, current, call);
      const { error } = response;
      const next = fallback_models[fallbacks];
      if (
        !error ||
        response.hasOutput ||
        next === undefined ||
        !MODEL_SPECIFIC.includes(error.kind) ||
        call.signal.aborted
      ) {
        const { model = fallbacks === 0 ? undefined : current.model } = response; // of the fallback [RESULT-26]
        return listing({ ...response, ...(model !== undefined && { model }) }, attempts);
      }
      attempts.push(...(response.attempts ?? []), { ...failed(current, response), error });
      emit({ type: "fallback", model: next, error });
      count(state, "fallbacks", fallbacks + 1);
    }
  };
}

/** The response, and whether it has output, which a retry would emit twice. @see RETRY-4 */
async function attempt(invokeModel: InvokeModel, request: ModelRequest, call: ModelCall) {
  let hasOutput = false;
  const onStream: ModelCall["onStream"] = (event) => {
    hasOutput = true;
    call.onStream(event);
  };
  const response = await invokeModel(request, { ...call, onStream });
  return { ...response, hasOutput: hasOutput || response.messages.length > 0 };
}

/** The fields of a failed attempt, except for its error. */
function failed({ model }: ModelRequest, { usage }: ModelResponse): Omit<FailedAttempt, "error"> {
  const isBilled = usage && Object.values(usage).some((tokens) => tokens !== null);
  return { ...(model !== undefined && { model }), ...(isBilled && { usage }) };
}

function listing(
  { hasOutput: _, ...response }: ModelResponse & { hasOutput: boolean },
  earlier: FailedAttempt[],
): ModelResponse {
  const attempts = [...earlier, ...(response.attempts ?? [])];
  return attempts.length > 0 ? { ...response, attempts } : response;
}

/** The provider knows best, except where what was paid for is used up. @see RETRY-5 RETRY-14 */
function isTransient({ kind, should_retry = TRANSIENT.includes(kind) }: LoopError): boolean {
  return should_retry && kind !== "quota";
}

/** The wait that the server requested, or exponential backoff, reduced by up to a quarter. @see RETRY-2 RETRY-3 */
function waitAfter({ retry_after_ms }: LoopError, failed: number, random: () => number): number {
  const backoff = Math.min(FIRST_WAIT_MS * 2 ** failed, LONGEST_WAIT_MS);
  return retry_after_ms ?? Math.round(backoff * (1 - random() / 4));
}

/** False if the run was cancelled before the time was over. */
async function slept(ms: number, clock: Clock, signal: AbortSignal): Promise<boolean> {
  return raceAbort(
    clock.sleep(ms, signal).then(() => true),
    signal,
    () => false,
  );
}
