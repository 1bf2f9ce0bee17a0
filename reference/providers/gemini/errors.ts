// Maps what Gemini reports about a failure to the closed list of error kinds, with how long to wait.

import { isRecord } from "../shared/arguments.ts";
import { providerError, type Failure } from "../shared/http-error.ts";
import { PROVIDER, type Fields } from "./parts.ts";
import type { LoopError } from "../../../schemas/types.ts";

/** What the status alone does not say. @see https://ai.google.dev/gemini-api/docs/troubleshooting */
const overflow = /exceeds the maximum number of tokens|input context is too long/i;

/** Classifies a failure, with the reason and the wait in its details. @see GEMINI-12 GEMINI-18 GEMINI-19 */
export function geminiError(failure: Failure): LoopError {
  const body = bodyOf(failure.body);
  const reported = isRecord(body?.error) ? body.error : {};
  const error = providerError(PROVIDER, { ...failure, body: body ?? failure.body });
  const details = Array.isArray(reported.details) ? reported.details.filter(isRecord) : [];
  const wait = details.map(({ retryDelay }) => waitOf(retryDelay)).find((ms) => ms !== undefined);
  const isKey = details.some(({ reason }) => reason === "API_KEY_INVALID");
  const isOverflow = error.kind === "invalid_request" && overflow.test(error.message);
  return {
    ...error,
    ...(typeof reported.status === "string" && { code: reported.status }),
    ...(wait !== undefined && error.retry_after_ms === undefined && { retry_after_ms: wait }),
    ...(isKey && { kind: "authentication" as const }),
    ...(isOverflow && { kind: "context_window_exceeded" as const }),
  };
}

/** The body as an object; a stream that is a list has the error in its first entry. */
function bodyOf(body: unknown): Fields | undefined {
  const value = typeof body === "string" ? valueOf(body) : body;
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return isRecord(first) ? first : undefined;
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A duration such as `34.5s`, in milliseconds. */
function waitOf(duration: unknown): number | undefined {
  const seconds = typeof duration === "string" ? /^(\d+(?:\.\d+)?)s$/.exec(duration)?.[1] : undefined;
  return seconds === undefined ? undefined : Math.round(Number(seconds) * 1000);
}
