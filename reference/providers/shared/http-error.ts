// Maps what a server or a connection reported about a failure to the closed list of error kinds.

import { isRecord } from "./arguments.ts";
import { RedirectError } from "./node-fetch.ts";
import type { ErrorKind, LoopError, ModelResponse } from "../../../schemas/types.ts";

/** What is known of a failure before it is classified. `body` is JSON or text, as the server sent it. */
export interface Failure {
  status?: number;
  headers?: { get(name: string): string | null };
  body: unknown;
}

const kindOfStatus: Record<number, ErrorKind> = {
  401: "authentication",
  402: "quota",
  403: "permission",
  404: "not_found",
  408: "timeout",
  413: "request_too_large",
  429: "rate_limit",
  503: "overloaded",
  504: "timeout",
  529: "overloaded",
};

/** The words with which providers name errors that come without a status, inside a stream for example. */
const kindOfWord: Record<string, ErrorKind> = {
  invalid_request_error: "invalid_request",
  authentication_error: "authentication",
  invalid_api_key: "authentication",
  billing_error: "quota",
  billing_hard_limit_reached: "quota",
  billing_not_active: "quota",
  insufficient_quota: "quota",
  permission_error: "permission",
  not_found_error: "not_found",
  model_not_found: "not_found",
  request_too_large: "request_too_large",
  rate_limit_error: "rate_limit",
  rate_limit_exceeded: "rate_limit",
  timeout_error: "timeout",
  timeout: "timeout",
  overloaded_error: "overloaded",
  engine_overloaded: "overloaded",
  bio_policy: "invalid_request",
  data_residency_mismatch: "invalid_request",
  failed_to_download_image: "invalid_request",
  image_content_policy_violation: "invalid_request",
  image_file_not_found: "invalid_request",
  invalid_image: "invalid_request",
  invalid_image_url: "invalid_request",
  invalid_prompt: "invalid_request",
  misalignment_policy_violation: "invalid_request",
  previous_response_not_found: "invalid_request",
  server_is_overloaded: "overloaded",
  slow_down: "overloaded",
  vector_store_timeout: "timeout",
};

/** The names under which servers report that a conversation is longer than the context window. @see PROVIDER-39 */
const overflowCodes = ["context_length_exceeded", "exceed_context_size_error"];

/** Kinds that stay what they are, whatever words come with them: a limit of tokens a minute, and one of bytes. @see PROVIDER-39 */
const keptKinds: ReadonlySet<ErrorKind> = new Set(["rate_limit", "request_too_large"]);

/** The words in which servers say the same. @see PROVIDER-39 */
const overflowWords = [
  "prompt is too long",
  "exceed context limit",
  "exceeds the context window",
  "maximum context length",
  "maximum prompt length is",
  "reduce the length of the messages",
  "exceeds the available context size",
  "greater than the context length",
  "exceeded model token limit",
  "context window exceeds limit",
  "input is too long for requested model",
];

/**
 * Classifies a failure: by its HTTP status, or, where there is none, by the numeric code or the words in its body. A word that
 * says that no wait helps wins over the status.
 * What the provider reported is kept in `message` and `code`.
 * @see PROVIDER-21 PROVIDER-25 PROVIDER-39 PROVIDER-41 ANTHROPIC-20 CHAT-21 RESPONSES-23
 */
export function providerError(provider: string, failure: Failure): LoopError {
  const reported = readBody(failure.body);
  const status = failure.status ?? statusIn(reported.code) ?? statusIn(reported.status);
  const said = kindOfWords(reported.code, reported.type);
  const kind = status === undefined || said === "quota" ? said : kindOf(status);
  const error: LoopError = {
    kind: !keptKinds.has(kind) && saysOverflow(reported) ? "context_window_exceeded" : kind,
    message: reported.message || `${provider} answered with status ${status ?? "unknown"} and no reason`,
    provider,
  };
  const code =
    reported.code === undefined || reported.code === null || reported.code === ""
      ? reported.type
      : String(reported.code);
  if (code !== undefined) error.code = code;
  if (failure.status !== undefined) error.status = failure.status;
  const wait = failure.headers && retryAfter(failure.headers);
  if (wait !== undefined) error.retry_after_ms = wait;
  const word = failure.headers?.get("x-should-retry");
  if (word === "true" || word === "false") error.should_retry = word === "true";
  return error;
}

/** A response that reports only that the call failed, with what came before. @see PROVIDER-21 */
export function failedResponse(error: LoopError, partial: Partial<ModelResponse> = {}): ModelResponse {
  const stop_reason = error.kind === "stream_interrupted" ? "interrupted" : "error";
  const { provider } = error;
  return {
    messages: [],
    raw_stop_reason: null,
    ...(provider !== undefined && { provider }),
    ...partial,
    stop_reason,
    error,
  };
}

/**
 * Classifies what an SDK threw. The official SDKs put `status`, `headers` and the parsed `error` on what they throw for an
 * HTTP error, and throw without a status when there was no answer.
 */
export function thrownError(provider: string, thrown: unknown, aborted: boolean, body?: string): LoopError {
  const { status, headers, error, message, name } = describe(thrown);
  if (aborted) return interruption(provider, "the call was aborted");
  const cause = isRecord(thrown) ? thrown.cause : undefined;
  if (cause instanceof RedirectError) return { kind: "configuration", message: cause.message, provider };
  if (status === undefined) {
    const kind = /timeout/i.test(name) ? "timeout" : "network";
    return { kind, message: `no answer from ${provider}: ${message}`, provider };
  }
  const text = message.replace(new RegExp(`^${status} `), "");
  return providerError(provider, { status, headers, body: body ?? error ?? text });
}

/**
 * Whether an SDK threw this about a request that it made. Such an error has a status, if only an undefined one; what is thrown
 * before anything is sent, because no key can be found for example, has none.
 * @see PROVIDER-40
 */
export function isOfRequest(thrown: unknown): boolean {
  return typeof thrown === "object" && thrown !== null && "status" in thrown;
}

/** The error of a stream that ended before its terminal event. @see PROVIDER-22 */
export function interruption(provider: string, reason: string): LoopError {
  return { kind: "stream_interrupted", message: `the answer of ${provider} is not complete: ${reason}`, provider };
}

/** The error of an answer that is not in the provider's format. @see PROVIDER-24 */
export function unreadable(provider: string, expected: string, came: string): LoopError {
  const shown = came.length > 200 ? `${came.slice(0, 200)}…` : came;
  return { kind: "invalid_response", message: `expected ${expected} from ${provider}, got: ${shown}`, provider };
}

/** The error of an SDK that could not be loaded or set up. */
export function misconfigured(provider: string, thrown: unknown): LoopError {
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return { kind: "configuration", message: `the SDK of ${provider} could not be set up: ${reason}`, provider };
}

function kindOf(status: number): ErrorKind {
  return kindOfStatus[status] ?? (status >= 500 ? "server_error" : "invalid_request");
}

function saysOverflow({ code, type, message }: ErrorBody): boolean {
  if (overflowCodes.some((name) => name === code || name === type)) return true;
  const said = message.toLowerCase();
  return overflowWords.some((words) => said.includes(words));
}

function kindOfWords(...words: unknown[]): ErrorKind {
  for (const word of words) {
    const kind = typeof word === "string" && Object.hasOwn(kindOfWord, word) ? kindOfWord[word] : undefined;
    if (kind) return kind;
  }
  return "server_error";
}

/** Some servers put the status of the model behind them into `code`, as a number or as digits. */
function statusIn(code: unknown): number | undefined {
  const status = typeof code === "string" && /^\d{3}$/.test(code) ? Number(code) : code;
  return typeof status === "number" && status >= 400 && status < 600 ? status : undefined;
}

interface ErrorBody {
  message: string;
  code?: unknown;
  status?: unknown;
  type?: string;
}

function readBody(body: unknown): ErrorBody {
  if (typeof body === "string") return readText(body);
  if (!isRecord(body)) return { message: body === undefined || body === null ? "" : JSON.stringify(body) };
  if (typeof body.error === "string") return { message: body.error, code: body.code };
  const inner = isRecord(body.error) ? body.error : body;
  const message = [inner.message, body.message, body.detail].find((text) => typeof text === "string" && text !== "");
  const type = typeof inner.type === "string" ? inner.type : undefined;
  const { status } = inner;
  const details = isRecord(inner.details) ? inner.details : {};
  const code = inner.code ?? details.error_code;
  const reported = { message: (message as string | undefined) ?? JSON.stringify(body), code, status };
  return type === undefined ? reported : { ...reported, type };
}

function readText(text: string): ErrorBody {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return readBody(value);
  } catch {
    // Not JSON: an error page, or plain text. It is shown as it is.
  }
  return { message: text.length > 1000 ? `${text.slice(0, 1000)}…` : text };
}

/**
 * `retry-after-ms`, or `retry-after` in seconds or as a date, which is measured against the server's own clock. What is neither
 * says nothing.
 * @see PROVIDER-25 PROVIDER-36 PROVIDER-37
 */
function retryAfter(headers: { get(name: string): string | null }): number | undefined {
  const ms = headers.get("retry-after-ms") ?? "";
  if (isAmount(ms)) return Math.min(Math.round(Number(ms)), Number.MAX_SAFE_INTEGER);
  const value = headers.get("retry-after") ?? "";
  if (isAmount(value)) return Math.min(Math.round(Number(value) * 1000), Number.MAX_SAFE_INTEGER);
  const until = isDate(value) ? Date.parse(value) : Number.NaN;
  const now = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(until) ? undefined : Math.max(0, until - (Number.isNaN(now) ? Date.now() : now));
}

function isAmount(text: string): boolean {
  return /^\s*(?:\d+\.?\d*|\.\d+)\s*$/.test(text);
}

/** A date of HTTP begins with a day and has a time. `Date.parse` takes much else for one, "-5" and "in 3" for example. */
function isDate(text: string): boolean {
  return /^\s*[a-z]{3,9},? .*\d\d:\d\d:\d\d/i.test(text);
}

interface Thrown {
  status: number | undefined;
  headers: { get(name: string): string | null };
  error: unknown;
  message: string;
  name: string;
}

function describe(thrown: unknown): Thrown {
  const value = (isRecord(thrown) ? thrown : {}) as Record<string, unknown>;
  const headers = value.headers as { get?: unknown } | undefined;
  const cause = isRecord(value.cause) && typeof value.cause.message === "string" ? ` (${value.cause.message})` : "";
  return {
    status: typeof value.status === "number" ? value.status : undefined,
    headers: typeof headers?.get === "function" ? (headers as Thrown["headers"]) : { get: () => null },
    error: value.error,
    message: (thrown instanceof Error ? thrown.message : String(thrown)) + cause,
    name: thrown instanceof Error ? thrown.constructor.name : "",
  };
}
