// A failed model call is tried again, and then asked of another model. Wraps `invokeModel`.

import type { Clock } from "./clock.ts";
import type { EventBody, InvokeModel, ModelCall } from "./core/ports.ts";
import type { ErrorKind, FailedAttempt, LoopError, ModelRequest, ModelResponse, RunOptions } from "./types.ts";

export interface Retrying {
  clock: Clock;
  /** A number from 0 to 1, for the jitter of waits. */
  random(): number;
  tell(event: RetryEvent | FallbackEvent): void;
}

type RetryEvent = Omit<Extract<EventBody, { type: "retry" }>, "turn">;
type FallbackEvent = Omit<Extract<EventBody, { type: "fallback" }>, "turn">;

/** What may be over the next time. @see RETRY-1 */
const PASSING: ErrorKind[] = ["rate_limit", "overloaded", "server_error", "timeout", "network", "stream_interrupted"];
/** What another model may not suffer from. @see RETRY-7 */
const MODEL_BOUND: ErrorKind[] = ["rate_limit", "overloaded", "server_error", "timeout", "network"];

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;

/**
 * Tries a failed call again, at most `max_retries` times, unless the consumer has already seen some of the answer.
 * Failed attempts are listed in the response. A cancel ends the waiting.
 * @see RETRY-1 RETRY-2 RETRY-3 RETRY-4 RETRY-5
 */
export function tryAgain(
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
      if (!error || response.spoke || isLast || !mayPass(error) || call.signal.aborted)
        return listing(response, attempts);
      attempts.push({ ...(request.model !== undefined && { model: request.model }), error, wait_ms });
      tell({ type: "retry", attempt: attempts.length, wait_ms, error });
      if (!(await slept(wait_ms, clock, call.signal))) return listing(response, attempts.slice(0, -1));
    }
  };
}

/**
 * Asks the next model of `fallback_models` when one has failed for good; the one that answered is asked for the rest of the run.
 * @see RETRY-7 RETRY-8
 */
export function fallBack(
  invokeModel: InvokeModel,
  { fallback_models = [] }: RunOptions,
  tell: Retrying["tell"],
): InvokeModel {
  const left = [...fallback_models];
  let current: string | undefined;
  return async (request, call) => {
    const attempts: FailedAttempt[] = [];
    for (;;) {
      const asked = current === undefined ? request : { ...request, model: current };
      const response = await heard(invokeModel, asked, call);
      const { error } = response;
      const [next] = left;
      if (!error || response.spoke || next === undefined || !MODEL_BOUND.includes(error.kind) || call.signal.aborted) {
        return listing(response, attempts);
      }
      attempts.push(...(response.attempts ?? []), { ...(asked.model !== undefined && { model: asked.model }), error });
      tell({ type: "fallback", model: next, error });
      current = left.shift();
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

function listing(
  { spoke: _, ...response }: ModelResponse & { spoke: boolean },
  earlier: FailedAttempt[],
): ModelResponse {
  const attempts = [...earlier, ...(response.attempts ?? [])];
  return attempts.length > 0 ? { ...response, attempts } : response;
}

function mayPass({ kind, should_retry = PASSING.includes(kind) }: LoopError): boolean {
  return should_retry;
}

/** What the server asked for, or twice as long each time, up to a quarter less. @see RETRY-2 RETRY-3 */
function waitAfter({ retry_after_ms }: LoopError, failed: number, random: () => number): number {
  const backoff = Math.min(FIRST_WAIT_MS * 2 ** failed, LONGEST_WAIT_MS);
  return retry_after_ms ?? Math.round(backoff * (1 - random() / 4));
}

/** True when the time is over, false when the run was cancelled first. */
async function slept(ms: number, clock: Clock, signal: AbortSignal): Promise<boolean> {
  const cancelled = new Promise<boolean>((resolve) =>
    signal.addEventListener("abort", () => resolve(false), { once: true }),
  );
  return Promise.race([clock.sleep(ms, signal).then(() => true), cancelled]);
}
