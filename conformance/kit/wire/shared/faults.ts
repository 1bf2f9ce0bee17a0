// How a scripted fault becomes an answer of any provider: whether its format can express it, and how it is sent.

import type { ErrorKind } from "../../../../schemas/types.ts";
import type { ScriptedFault, ScriptedPart, ScriptedResponse, Transport, WireResponse, Write } from "../codec.ts";
import { hasText } from "./json.ts";
import { isStreamed, type AnswerTransport } from "../transport.ts";
import { jsonHeaders } from "./sse.ts";
import { answerOver, transportNamed } from "./transports.ts";

/** How a provider reports one kind of error. */
export interface Failure {
  status: number;
  /** Whether it can also be reported in a stream that has begun. */
  inStream?: unknown;
}

/** What a provider's faults look like. */
export interface FaultFormat<Kind extends Failure> {
  /** The name of the API, for messages. */
  api: string;
  /** The provider's. */
  transports: readonly AnswerTransport[];
  failures: Partial<Record<ErrorKind, Kind>>;
  errorBody(failure: Kind, message: string): unknown;
  /** The headers of an error that is sent instead of a response. */
  headers(retryAfterMs: number | undefined): Record<string, string>;
  canExpressParts(parts: readonly ScriptedPart[], transport: Transport): true | string;
  /** `true`, or why the headers cannot carry the time to wait. Absent: they can carry any time. */
  canWait?(retryAfterMs: number): true | string;
  /** A stream of the parts that then fails, or just ends if no failure is given. `id` is that of the response. */
  stream(parts: ScriptedPart[], id: string, failed?: { failure: Kind; message: string }): Write[];
  /** An answer that is cut inside its JSON, and an event that is. */
  cut: { body: string; event: string };
}

/** Whether the format can express the fault. */
export function canFail<Kind extends Failure>(
  format: FaultFormat<Kind>,
  { kind, after, retry_after_ms }: ScriptedFault,
  transport: Transport,
): true | string {
  if (after.length > 0 && !isStreamed(transport)) return "only a stream can carry parts before a failure";
  if (kind === "stream_interrupted" && !isStreamed(transport)) return "only a stream can be interrupted";
  if (kind === "network" && after.length > 0) return "a connection lost in a stream is stream_interrupted";
  if (kind === "stream_interrupted" || kind === "network" || kind === "invalid_response")
    return format.canExpressParts(after, transport);
  const failure = format.failures[kind];
  if (failure === undefined) return `${kind} is not a failure of the provider`;
  if (after.length === 0) return retry_after_ms === undefined ? true : (format.canWait?.(retry_after_ms) ?? true);
  if (!failure.inStream) return `${format.api} reports ${kind} only before the stream begins`;
  if (retry_after_ms !== undefined) return `an error event of ${format.api} cannot carry how long to wait`;
  return format.canExpressParts(after, transport);
}

/** The id of a response that fails where nobody gives it another. */
export const usualId = "fault";

/** The answer that is a fault. */
export function renderFault<Kind extends Failure>(
  format: FaultFormat<Kind>,
  { kind, message, after, retry_after_ms, id = usualId }: ScriptedFault,
  transport: Transport,
): WireResponse {
  const over = transportNamed(format.transports, transport);
  if (kind === "network") return { ...answerOver(over, []), reset: true };
  if (kind === "invalid_response" && !isStreamed(transport)) return answerOver(over, [{ text: format.cut.body }]);
  const failure = format.failures[kind];
  if (after.length === 0 && failure !== undefined) {
    const writes = [{ text: JSON.stringify(format.errorBody(failure, message)) }];
    return { status: failure.status, headers: { ...jsonHeaders, ...format.headers(retry_after_ms) }, writes };
  }
  const begun = format.stream(after, id, failure && { failure, message });
  const cut = kind === "invalid_response" ? [{ text: format.cut.event }] : [];
  return answerOver(over, [...begun, ...cut]);
}

/** Whether the format has the stop reason. For `other`: whether the raw stop reason is one that the format does not know. */
export function canStop(
  api: string,
  { stop_reason, raw_stop_reason }: ScriptedResponse,
  reasons: { generic: ReadonlySet<string>; raw: ReadonlySet<string> },
): true | string {
  if (stop_reason !== "other")
    return reasons.generic.has(stop_reason) ? true : `${api} has no stop reason ${stop_reason}`;
  if (!hasText(raw_stop_reason)) return "stop_reason other needs a raw_stop_reason";
  return reasons.raw.has(raw_stop_reason) ? `${api} knows the stop reason ${raw_stop_reason}` : true;
}
