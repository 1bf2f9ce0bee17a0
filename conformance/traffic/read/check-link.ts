// Compares a recorded request with the one that it continues, and with its answer: what a loop must not change.

import type { Message, ModelResponse, ToolCallMessage, ToolResultMessage } from "../../../schemas/types.ts";
import type { ReadableExchange, Link } from "./chains.ts";
import { alike } from "./chains.ts";
import { checkSeals } from "./check-seals.ts";
import { essence, sorted } from "./essence.ts";
import { hasText, listPointer, placeOf } from "./finding.ts";
import type { Finding } from "./finding.ts";
import { requestValue } from "../fixture/request-value.ts";

/** Everything that a request does to the conversation that it must not. */
export function checkLink(link: Link): Finding[] {
  if (link.kind === "again") return checkRepetition(link);
  return [
    ...checkHistory(link),
    ...checkPrefix(link),
    ...checkAnswer(link),
    ...checkNumbers(link),
    ...checkThinking(link),
    ...checkSeals(link),
    ...checkExecution(link),
  ];
}

type Breach = Pick<Finding, "requirement" | "pointer" | "message">;

const broken = ({ number }: ReadableExchange, breach: Breach): Finding => ({
  level: "broken",
  exchange: number,
  ...breach,
});
const note = ({ number }: ReadableExchange, breach: Breach): Finding => ({
  level: "note",
  exchange: number,
  ...breach,
});

/** @see LOOP-21 RETRY-2 RETRY-5 */
function checkRepetition({ before, after }: Link): Finding[] {
  const { error } = before.answer;
  if (!error) {
    const message = `exchange ${before.number} was answered with nothing, and the same request is sent once more`;
    return [broken(after, { requirement: "LOOP-21", pointer: "", message })];
  }
  const final = [
    "authentication",
    "permission",
    "quota",
    "not_found",
    "invalid_request",
    "request_too_large",
    "context_window_exceeded",
  ];
  if (final.includes(error.kind)) {
    const message = `exchange ${before.number} failed with ${error.kind}, and the same request is sent once more`;
    return [note(after, { requirement: "RETRY-5", pointer: "", message })];
  }
  const [began, again] = [before.exchange.at_ms, after.exchange.at_ms];
  const waited = began === undefined || again === undefined ? undefined : again - began;
  if (waited === undefined || error.retry_after_ms === undefined || waited >= error.retry_after_ms) return [];
  const message = `exchange ${before.number} asked for a wait of ${error.retry_after_ms} ms, and ${Math.round(waited)} ms later it was asked again`;
  return [broken(after, { requirement: "RETRY-2", pointer: "", message })];
}

/** @see LOOP-1 */
function checkHistory({ before, after }: Link): Finding[] {
  const [was, is] = [before.request.messages, after.request.messages];
  const same = alike(was, is);
  if (same === was.length) return [];
  const changed = is[same];
  const pointer = changed
    ? placeOf(requestValue(after.exchange.request), changed)
    : listPointer(requestValue(after.exchange.request));
  const message = `message ${same + 1} of ${was.length} is not what exchange ${before.number} had there: the history was changed`;
  return [broken(after, { requirement: "LOOP-1", pointer, message })];
}

/** Instructions and tools may change, but then nothing of a prompt cache is used. @see PROVIDER-13 */
function checkPrefix({ before, after }: Link): Finding[] {
  const differs = (one: unknown, other: unknown) => JSON.stringify(sorted(one)) !== JSON.stringify(sorted(other));
  const changed = [
    ...(differs(before.request.system, after.request.system) ? ["the instructions"] : []),
    ...(differs(before.request.tools, after.request.tools) ? ["the tools"] : []),
  ];
  return changed.map((what) => {
    const message = `${what} differ from those of exchange ${before.number}, so no cache of the prompt helps`;
    return note(after, { requirement: "PROVIDER-13", pointer: "", message });
  });
}

/** What was answered must come back as it was, if it comes back. @see LOOP-1 SESSION-13 */
function checkAnswer({ before, after }: Link): Finding[] {
  const { messages, error } = before.answer;
  const body = requestValue(after.exchange.request);
  if (error) {
    const message = `the answer of exchange ${before.number} was cut off (${error.kind}), and is sent to the model again`;
    return [broken(after, { requirement: "SESSION-13", pointer: listPointer(body), message })];
  }
  const sent = after.request.messages;
  const repeated = repeatedIds([...before.request.messages, ...messages]);
  return messages.flatMap((call) => {
    // A call whose id another one has goes back under an id of its own. @see SESSION-9
    if (call.type !== "tool_call" || repeated.has(call.id)) return [];
    const again = sent.find(
      (message): message is ToolCallMessage => message.type === "tool_call" && message.id === call.id,
    );
    if (again && (call.input === null || essence(again) === essence(call))) return [];
    const message = again
      ? `the call ${call.id} has another name or other arguments than the model gave it in exchange ${before.number}`
      : `the call ${call.id} of exchange ${before.number} was left out`;
    return [broken(after, { requirement: "LOOP-1", pointer: placeOf(body, call), message })];
  });
}

/** Where arguments are a text, their numbers are seen as they were written. @see PROVIDER-35 */
function checkNumbers({ before, after }: Link): Finding[] {
  if (before.provider === "anthropic-messages") return [];
  const body = after.exchange.request?.body;
  const text = JSON.stringify(body);
  return before.answer.messages.flatMap((call) => {
    if (call.type !== "tool_call" || call.raw_input === undefined || call.input === null) return [];
    if (!after.request.messages.some((message) => message.type === "tool_call" && message.id === call.id)) return [];
    const lost = (call.raw_input.match(/\d{16,}/g) ?? []).find((digits) => !text.includes(digits));
    if (lost === undefined) return [];
    const message = `the number ${lost} in the arguments of the call ${call.id} came back as another one`;
    return [broken(after, { requirement: "PROVIDER-35", pointer: placeOf(body, call), message })];
  });
}

/** The ids that several calls have. */
function repeatedIds(messages: readonly Message[]): ReadonlySet<string> {
  const ids = messages.flatMap((message) => (message.type === "tool_call" ? [message.id] : []));
  return new Set(ids.filter((id, at) => ids.indexOf(id) < at));
}

/** Thinking that is sealed must go back within the turn of its calls, unless the server keeps it. @see PROVIDER-7 */
function checkThinking({ before, after }: Link): Finding[] {
  const body = requestValue(after.exchange.request) as Record<string, unknown> | undefined;
  const isKept = body?.["previous_response_id"] != null || body?.["conversation"] != null || body?.["thread"] != null;
  if (isKept || resultsOf(before.answer, after).length === 0) return [];
  return before.answer.messages.flatMap((message) => {
    if (message.type !== "thinking") return [];
    const { signature, redacted, encrypted_content, id } = (message.opaque ?? {}) as Record<string, string | undefined>;
    // What the server did not store cannot be named by its id alone: without a seal it cannot go back.
    const name = isStored(before) ? id : undefined;
    const seals = [signature ?? redacted ?? encrypted_content, name].filter(
      (seal) => seal !== undefined && seal !== "",
    );
    if (seals.length === 0 || seals.some((seal) => hasText(body, seal!))) return [];
    const what = `the thinking of exchange ${before.number} is sealed, and does not come back with the results of its calls`;
    return [broken(after, { requirement: "PROVIDER-7", pointer: listPointer(body), message: what })];
  });
}

/** Whether the server keeps what it answered: the default, where a provider keeps anything. */
function isStored({ exchange }: ReadableExchange): boolean {
  return (exchange.request?.body as Record<string, unknown> | undefined)?.["store"] !== false;
}

/** After which stop reasons calls are not executed, and by which requirement. */
const notExecuted: Partial<Record<ModelResponse["stop_reason"], string>> = {
  max_tokens: "LOOP-9",
  context_window_exceeded: "LOOP-9",
  stop_sequence: "LOOP-13",
  refusal: "LOOP-15",
  content_filter: "LOOP-15",
  other: "LOOP-17",
  error: "LOOP-19",
  interrupted: "LOOP-19",
};

function checkExecution({ before, after }: Link): Finding[] {
  const { stop_reason } = before.answer;
  const requirement = notExecuted[stop_reason];
  if (requirement === undefined) return [];
  return resultsOf(before.answer, after).flatMap((result) => {
    if (result.is_error || readsLikeError(result)) return [];
    const message = `the call ${result.id} came with an answer that stopped for ${stop_reason}, and its result is no error: it seems to have been executed`;
    // Only one format says of a result whether it is an error.
    const report = before.provider === "anthropic-messages" ? broken : note;
    return [report(after, { requirement, pointer: placeOf(requestValue(after.exchange.request), result), message })];
  });
}

function resultsOf({ messages }: ModelResponse, { request }: ReadableExchange): ToolResultMessage[] {
  const calls = new Set(messages.flatMap((message: Message) => (message.type === "tool_call" ? [message.id] : [])));
  return request.messages.flatMap((message) =>
    message.type === "tool_result" && calls.has(message.id) ? [message] : [],
  );
}

/** Whether the output of a result reads like an error, in formats that have no other sign of one. */
function readsLikeError({ output }: ToolResultMessage): boolean {
  return /error|not (been )?(executed|run)|cut off|truncated|interrupted|cancell?ed|denied|skipped/i.test(
    JSON.stringify(output),
  );
}
