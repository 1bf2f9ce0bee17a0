// Compares a recorded request with the one that it continues, and with its answer: what a loop must not change.

import type { Message, ToolCallMessage } from "../../../schemas/types.ts";
import type { ReadableExchange, Link } from "./chains.ts";
import { alike } from "./chains.ts";
import { checkExecution } from "./check-execution.ts";
import { isSameModel } from "./check-seals.ts";
import { essence, sorted } from "./essence.ts";
import { hasText, listPointer, placeOf } from "./finding.ts";
import type { Finding } from "./finding.ts";
import { hasInterleavedCalls } from "./interleaved.ts";
import { resultsOf } from "./results-of.ts";
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
    ...checkOrder(link),
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
  if (looksCompacted(was, is)) {
    const message = `a text stands where exchange ${before.number} had ${was.length - same} messages: the history was changed, or a summary stands for it`;
    return [
      note(after, { requirement: "LOOP-1", pointer: listPointer(requestValue(after.exchange.request)), message }),
    ];
  }
  const pointer = changed
    ? placeOf(requestValue(after.exchange.request), changed)
    : listPointer(requestValue(after.exchange.request));
  const message = `the history was changed: message ${same + 1} of ${was.length} is not what exchange ${before.number} had there`;
  return [broken(after, { requirement: "LOOP-1", pointer, message })];
}

/** Whether messages are gone and a text is there that was not: a summary, as far as the traffic shows. @see COMPACT-1 */
function looksCompacted(was: readonly Message[], is: readonly Message[]): boolean {
  const known = new Set(was.map(essence));
  const fresh = is.slice(0, was.length).filter((message) => !known.has(essence(message)));
  const gone = was.length - (Math.min(is.length, was.length) - fresh.length);
  return gone > fresh.length && fresh.some((message) => "role" in message && message.role !== "assistant");
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
  const requirement = hasInterleavedCalls(before.provider, before.exchange.response) ? "PROVIDER-15" : "LOOP-1";
  return messages.flatMap((call) => {
    // A call whose id another one has goes back under an id of its own, and so does one that came without. @see SESSION-9 SESSION-10
    if (call.type !== "tool_call" || !call.id || repeated.has(call.id)) return [];
    const again = sent.find(
      (message): message is ToolCallMessage => message.type === "tool_call" && message.id === call.id,
    );
    if (again && (call.input === null || essence(again) === essence(call))) return [];
    const pointer = placeOf(body, call);
    const from = `the call ${call.id} of exchange ${before.number}`;
    // What a format forbids in an id, an adapter changes. @see CHAT-7 ANTHROPIC-12
    if (!again && sent.slice(before.request.messages.length).some((message) => isSameCall(message, call))) return [];
    if (!again) return [broken(after, { requirement: "LOOP-1", pointer, message: `${from} was left out` })];
    if (isRedacted(again, call)) {
      const message = `${from} came back with [redacted] where the model had written something`;
      return [broken(after, { requirement: "PROVIDER-46", pointer, message })];
    }
    const message = `${from} came back with another name or other arguments than the model gave it`;
    return [broken(after, { requirement, pointer, message })];
  });
}

/** Whether it is the call, whatever its id. */
function isSameCall(message: Message, call: ToolCallMessage): boolean {
  return message.type === "tool_call" && essence({ ...message, id: call.id }) === essence(call);
}

/** Whether something was replaced in a call because a key was seen in it. */
function isRedacted(again: ToolCallMessage, call: ToolCallMessage): boolean {
  const has = (one: ToolCallMessage) => JSON.stringify(one.input).includes("[redacted");
  return has(again) && !has(call);
}

/** What a model said comes back in its order, as far as each of its messages is found once. @see SESSION-4 */
function checkOrder({ before, after }: Link): Finding[] {
  const { messages, error } = before.answer;
  if (error) return [];
  const sent = after.request.messages.slice(before.request.messages.length).map(essence);
  const places = messages.flatMap((message) => {
    const place = sent.indexOf(essence(message));
    return place >= 0 && place === sent.lastIndexOf(essence(message)) ? [place] : [];
  });
  const isInOrder = places.every((place, at) => at === 0 || places[at - 1]! < place);
  if (isInOrder) return [];
  const message = `what the model said in exchange ${before.number} came back in another order`;
  const pointer = listPointer(requestValue(after.exchange.request));
  return [broken(after, { requirement: "SESSION-4", pointer, message })];
}

/** Where digits are kept that a double does not hold, they are seen as they were written. @see PROVIDER-35 */
function checkNumbers({ before, after }: Link): Finding[] {
  const body = after.exchange.request?.body;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return before.answer.messages.flatMap((call) => {
    if (call.type !== "tool_call" || call.raw_input === undefined || call.input === null) return [];
    if (!after.request.messages.some((message) => message.type === "tool_call" && message.id === call.id)) return [];
    const lost = (call.raw_input.match(/\d{16,}/g) ?? []).find((digits) => !text.includes(digits));
    if (lost === undefined) return [];
    const message = `the number ${lost} became another one: the call ${call.id} came back with it changed`;
    return [broken(after, { requirement: "PROVIDER-35", pointer: placeOf(body, call), message })];
  });
}

/** The ids that several calls have. */
function repeatedIds(messages: readonly Message[]): ReadonlySet<string> {
  const ids = messages.flatMap((message) => (message.type === "tool_call" ? [message.id] : []));
  return new Set(ids.filter((id, at) => ids.indexOf(id) < at));
}

/** Thinking that is sealed must go back to its model within the turn of its calls, unless the server keeps it. @see PROVIDER-7 */
function checkThinking({ before, after }: Link): Finding[] {
  const body = requestValue(after.exchange.request) as Record<string, unknown> | undefined;
  const isKept = body?.["previous_response_id"] != null || body?.["conversation"] != null || body?.["thread"] != null;
  if (isKept || !isSameModel(before, after) || resultsOf(before.answer, after).length === 0) return [];
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
