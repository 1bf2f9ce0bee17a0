// Wraps a run's provider: everything that a model call has around it, from the request to the entry in the report.

import type { RunSetup } from "./run.ts";
import { announceAttempts, type AttemptEvent } from "../plugins/model/attempt-events.ts";
import { priceCalls } from "../plugins/model/budget.ts";
import { withUniqueIds } from "../plugins/model/unique-call-ids.ts";
import { realClock } from "../support/clock.ts";
import type { Ports, State } from "../core/ports.ts";
import { keepWhatWasHeard } from "../plugins/model/partial-response.ts";
import { continuePaused } from "../plugins/model/paused-responses.ts";
import { fallBack, tryAgain, type Retrying } from "../plugins/model/retry.ts";
import { failWhenSilent } from "../plugins/model/idle-timeout.ts";
import { reportCalls } from "../plugins/model/step-report.ts";
import { askForForm } from "../plugins/model/structured-output.ts";

/** The order matters: ids are made unique once a paused response is whole. */
export function modelOf(state: State, setup: RunSetup, emit: Ports["emit"], signal: AbortSignal): Ports["invokeModel"] {
  const { options, session } = state;
  const { provider, clock = realClock, random = Math.random, newId = shortId } = setup;
  let turn = 0; // the one under way
  let attempt = 0; // of this turn
  const tell: Retrying["tell"] = (event) => emit({ ...event, turn });
  const tellAttempt = (event: AttemptEvent) => {
    if (event.type === "attempt_start") attempt += 1;
    emit({ ...event, turn, attempt });
  };
  const announced = announceAttempts(
    failWhenSilent(keepWhatWasHeard(provider.invokeModel), clock, options.model_idle_timeout_ms ?? null),
    tellAttempt,
  );
  const tried = fallBack(tryAgain(announced, options, { clock, random, tell }), state, tell);
  const whole = continuePaused(tried, options.max_pause_continuations ?? 10);
  const invokeModel = withUniqueIds(whole, session.messages, newId);
  const invoke: Ports["invokeModel"] = async (request, turnNow) => {
    if (signal.aborted) return { messages: [], stop_reason: "interrupted" };
    turn = turnNow;
    attempt = 0;
    const { attempts, ...response } = await invokeModel(request, {
      signal,
      onStream: (piece) =>
        emit(piece.type === "message_end" ? { type: piece.type, turn, index: piece.index } : { ...piece, turn }),
      warn: (code, message) => emit({ type: "warning", turn, code, message }),
    });
    return attempts ? { ...response, notes: { attempts } } : response;
  };
  return reportCalls(priceCalls(askForForm(invoke, options), state, provider.model), clock);
}

/** Short enough for every provider: OpenAI Chat Completions takes 40 characters. */
function shortId(): string {
  return `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
}
