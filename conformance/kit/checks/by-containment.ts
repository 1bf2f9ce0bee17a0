// What a driver of level wire may say beside what is expected, or otherwise: words of its own, other ids, and fewer turns before an ending that it tells.

import { isDeepStrictEqual } from "node:util";
import type { Case, Message, Part, ToolCallMessage } from "../../../schemas/types.ts";
import type { Observation } from "../observed/observation.ts";
import type { ScriptedPart } from "../../../schemas/types.ts";
import { bodyInOrderOfCalls } from "./result-order.ts";
import { isWireDriver } from "../suite/wire-driver.ts";
import { label } from "../wire/shared/normal-form.ts";
import type { ProviderName } from "../wire/codec.ts";
import { codecs } from "../wire/codecs.ts";
import { isObject } from "../wire/shared/json.ts";

type Expect = Case["expect"];

/** What stands for half of a surrogate pair. @see PROVIDER-12 */
const noLetter = "\uFFFD";

/** What is expected of the messages of a request, and what is held against it. @see LOOP-1 */
export function essentialMessages(
  expected: readonly Message[],
  received: readonly Message[],
  provider: ProviderName,
  seen: Observation,
): [expected: Message[], received: Message[]] {
  // There, a result may stand anywhere behind its call.
  const inOrder = (messages: readonly Message[]) =>
    codecs[provider].leeway.resultsAnywhere
      ? behind(
          messages,
          ({ type }) => type === "tool_result",
          ({ role }) => role === "user",
        )
      : [...messages];
  const wanted = inOrder(withoutForgotten(expected, received, seen));
  return [wanted, withoutOwnWords(wanted, inOrder(withoutUnfollowed(expected, received, seen)), seen)];
}

/** Without thinking that nothing followed: it may go back where its provider takes it. @see SESSION-14 */
function withoutUnfollowed(expected: readonly Message[], received: readonly Message[], seen: Observation): Message[] {
  const unfollowed = thoughtsOf(seen.expected.messages(received).filter((message) => "status" in message));
  const wanted = thoughtsOf(expected);
  const isUnfollowed = (one: Message) =>
    one.type === "thinking" && unfollowed.has(one.content) && !wanted.has(one.content);
  return received.filter((message) => !isUnfollowed(message));
}

function thoughtsOf(messages: readonly Message[]): Set<string> {
  return new Set(messages.flatMap((message) => (message.type === "thinking" ? [message.content] : [])));
}

/**
 * The messages of a request as they are held against those that are expected, which say each thing as the spec's own loop does: without
 * what the loop has added itself in the name of the user or of the system; with the ids that are expected where the model gave none, or
 * one twice; with a call that could not be read in the form that is expected; and without what is kept of a response that was lost. What
 * somebody has said is contained in what is sent; that nothing of it is missing is for the comparison that follows.
 * @see LOOP-1 SESSION-9
 */
function withoutOwnWords(expected: readonly Message[], received: readonly Message[], seen: Observation): Message[] {
  const unreadable = unreadableCalls(seen);
  const kept: Message[] = [];
  for (const message of withoutLost(received, seen)) {
    const wanted = expected[kept.length];
    if (wanted?.type === "tool_call" && message.type === "tool_call")
      kept.push(unreadable.has(wanted.id) || saysNothing(message) ? inExpectedForm(message, wanted) : message);
    else if (message.role !== "user" && message.role !== "system") kept.push(message);
    // What stands before a picture is compared part by part.
    else if (wanted?.role === message.role && hasMarks(wanted.content)) kept.push(message);
    else if (wanted?.role === message.role && isContained(wanted.content, message.content)) kept.push(wanted);
  }
  return hasDoubtfulIds(seen) ? underExpectedIds(expected, kept) : kept;
}

/**
 * The ids of the calls whose arguments were no JSON object, or nothing. As what they go back is the loop's affair: what was nothing it has
 * to execute, and that is judged where it does not.
 * @see TOOL-1 TOOL-3
 */
function unreadableCalls({ expected, filled }: Observation): Set<string> {
  const calls = filled.case.model.flatMap(({ respond = [] }) => respond).flatMap(({ tool_call }) => tool_call ?? []);
  const blank = new Set(calls.filter(({ raw_input: written }) => written?.trim() === "").map(({ name }) => name));
  const isUnreadable = ({ name, input }: ToolCallMessage) =>
    input === null || (blank.has(name) && Object.keys(input).length === 0);
  return new Set(expected.calls.flatMap(({ message }) => (isUnreadable(message) ? [message.id] : [])));
}

/** A call of a tool without parameters, sent back as empty as it came. */
function saysNothing({ input, raw_input: written = "" }: ToolCallMessage): boolean {
  return input === null && written.trim() === "";
}

function inExpectedForm(message: ToolCallMessage, wanted: ToolCallMessage): ToolCallMessage {
  return message.name === wanted.name ? { ...wanted, id: message.id } : message;
}

/**
 * Without the text and the calls of a response that never ended, and their results: they may stand in later requests, as long as the
 * model is not made to go on inside of half a text.
 * @see SESSION-13
 */
function withoutLost(received: readonly Message[], seen: Observation): Message[] {
  const lost = lostParts(seen);
  if (lost.length === 0) return [...received];
  const texts = lost.flatMap((part) => ("text" in part ? [part.text] : []));
  const names = new Set(lost.flatMap((part) => ("tool_call" in part ? [part.tool_call.name] : [])));
  const known = new Set(seen.expected.calls.map(({ message }) => message.id));
  const gone = new Set<string>();
  return received.filter((message, at) => {
    if (message.type === "tool_result") return !gone.has(message.id);
    if (message.type === "tool_call" && names.has(message.name) && !known.has(message.id)) {
      gone.add(message.id);
      return false;
    }
    const isHalf = message.role === "assistant" && texts.some((text) => isPieceOf(message.content, text));
    return !isHalf || at === received.length - 1;
  });
}

function isPieceOf(said: string, text: string): boolean {
  return said !== "" && (text.startsWith(said) || said.startsWith(text));
}

/** What the model had begun to say in responses that never ended. */
function lostParts({ disturbed, filled }: Observation): readonly ScriptedPart[] {
  if (!disturbed) return [];
  return filled.case.model.flatMap(({ fault, reset, respond, text }) => {
    if (!reset) return fault?.after ?? [];
    return respond ?? (text === undefined ? [] : [{ text }]);
  });
}

/** What of an expectation holds for a loop that is not the one of this spec. */
export function essentialPart(expect: Expect, seen: Observation): Expect {
  const { requests, wire, tools, request_count: count, ...rest } = expect;
  return {
    ...rest,
    ...(requests && {
      requests: endedEarly(seen) ? requests.slice(0, seen.requests.length).map(contained) : requests.map(contained),
    }),
    ...(wire && { wire }),
    // Which calls there are in bytes, the case alone says: who cannot read them has lost them.
    ...(tools && { tools: endedEarly(seen) && !seen.expected.isOpen ? askedFor(tools, seen) : tools }),
    ...(count !== undefined && { request_count: endedEarly(seen) ? Math.min(count, seen.requests.length) : count }),
  };
}

/** The bodies as the case speaks of them: without a leading system text that is not its own, and with results in the order of their calls. */
export function withoutOwnSystem(
  bodies: readonly unknown[],
  expected: readonly unknown[] | undefined,
  provider: ProviderName,
): unknown[] {
  const { conversation: key, instructionsApart } = codecs[provider].leeway;
  return bodies.map((whole, at) => {
    const body = bodyInOrderOfCalls(resultsBehind(whole, provider), provider);
    const list = listOf(body, key);
    if (!list || instructionsApart || isSystem(listOf(expected?.[at], key)?.[0])) return body;
    return { ...(body as object), [key]: list.slice(list.findIndex((one) => !isSystem(one))) };
  });
}

/**
 * The body, where the provider takes each result anywhere behind its call, with the results behind everything that the model said before
 * the user did again.
 */
export function resultsBehind<Body>(body: Body, provider: ProviderName): Body {
  const { conversation, resultsAnywhere, answeredBy } = codecs[provider].leeway;
  const entries = resultsAnywhere ? listOf(body, conversation) : undefined;
  const isResult = (entry: unknown) => isObject(entry) && answeredBy(entry) !== undefined;
  return entries ? { ...body, [conversation]: behind(entries, isResult, isOfUser) } : body;
}

/** The same list, in which what `isResult` stands at the end of its piece; pieces begin with what `isBegin`. */
function behind<Item>(
  list: readonly Item[],
  isResult: (item: Item) => boolean,
  isBegin: (item: Item) => boolean,
): Item[] {
  const pieces: Item[][] = [[]];
  for (const item of list) {
    if (isBegin(item)) pieces.push([]);
    pieces.at(-1)!.push(item);
  }
  return pieces.flatMap((piece) => [...piece.filter((item) => !isResult(item)), ...piece.filter(isResult)]);
}

function isOfUser(item: unknown): boolean {
  return (item as { role?: unknown } | undefined)?.role === "user" || isSystem(item);
}

/**
 * What is expected, without what a loop may forget and has forgotten: what the model said where it refused, as some providers ask for, and
 * calls that could not be read. What it sends of them is compared.
 */
function withoutForgotten(expected: readonly Message[], received: readonly Message[], seen: Observation): Message[] {
  const refused = seen.answers
    .filter(({ stopReason }) => stopReason === "refusal" || stopReason === "content_filter")
    .flatMap(({ messages }) => messages.flatMap((one) => (one.role === "assistant" ? [one.content] : [])));
  const texts = new Set(received.flatMap((one) => (one.role === "assistant" ? [one.content] : [])));
  const ids = new Set(received.flatMap((one) => (one.type === "tool_call" ? [one.id] : [])));
  const forgotten = [...unreadableCalls(seen)].filter((id) => !ids.has(id));
  return expected.filter((one) => {
    if (one.role === "assistant") return !refused.includes(one.content) || texts.has(one.content);
    return !(one.type === "tool_call" || one.type === "tool_result") || !forgotten.includes(one.id);
  });
}

/** Whether a message is a text that the model had begun when its response was lost. @see SESSION-13 */
export function isHalfAnswer(message: Message | undefined, seen: Observation): boolean {
  if (message?.role !== "assistant" || !isWireDriver(seen.driver)) return false;
  return lostParts(seen).some((part) => "text" in part && isPieceOf(message.content, part.text));
}

/** The run ended before the script did, and reported to its caller that it came to nothing. */
function endedEarly({ ended }: Observation): boolean {
  return ended !== undefined && ended !== "completed";
}

/** A request that has these messages, whatever the loop says between them, and around what a tool said. */
function contained(request: unknown): unknown {
  const { messages, system, ...rest } = request as { messages?: unknown; system?: unknown };
  return {
    ...rest,
    ...(Array.isArray(messages) && { messages: { $contains: messages.map(saidInAnyWords) } }),
    ...(typeof system === "string" && { system: { $contains: system } }),
  };
}

/** A result that has the whole letters of its output: half a letter must not be sent, and nobody says what stands for it. */
function saidInAnyWords(message: unknown): unknown {
  const { type, output } = (message ?? {}) as { type?: unknown; output?: unknown };
  if (type !== "tool_result" || typeof output !== "string") return message;
  const [text = "", ...others] = output.split(noLetter).filter((piece) => piece !== "");
  return text === "" || others.length > 0 ? message : { ...(message as object), output: { $contains: text } };
}

/** The executions that are expected of the calls which the model has made until the end. */
function askedFor(tools: readonly unknown[], seen: Observation): unknown[] {
  const refused = refusedForTheirIds(seen);
  const open = seen.expected.calls.flatMap(({ message: { id, name } }) => (refused.has(id) ? [] : [name]));
  return tools.filter((tool) => {
    const at = open.indexOf(typeof tool === "string" ? tool : String((tool as { name?: unknown }).name));
    if (at >= 0) open.splice(at, 1);
    return at >= 0;
  });
}

/**
 * The calls of a last response that used an id again, where the run ended in an error for it and executed none of them: a loop may
 * refuse what it cannot tell apart.
 * @see SESSION-9
 */
function refusedForTheirIds(seen: Observation): Set<string> {
  if (seen.ended !== "error" || doubtfulIds(seen) !== "SESSION-9") return new Set();
  const isFromBefore = doubtfulIds({ ...seen, answers: seen.answers.slice(0, -1) }) !== undefined;
  const executed = new Set(seen.executions.map(({ id }) => id));
  const last = (seen.expected.batches.at(-1) ?? []).map(({ id }) => id);
  return new Set(isFromBefore || last.some((id) => executed.has(id)) ? [] : last);
}

function hasMarks(content: string | readonly Part[]): boolean {
  return typeof content !== "string" && content.some((part) => isDeepStrictEqual(part, label));
}

function isContained(wanted: string | readonly Part[], received: string | readonly Part[]): boolean {
  if (isDeepStrictEqual(wanted, received)) return true;
  const parts = partsOf(received);
  return partsOf(wanted).every((part) =>
    parts.some((one) =>
      part.type === "text" ? one.type === "text" && one.text.includes(part.text) : isDeepStrictEqual(one, part),
    ),
  );
}

function partsOf(content: string | readonly Part[]): readonly Part[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function hasDoubtfulIds(seen: Observation): boolean {
  return doubtfulIds(seen) !== undefined;
}

/**
 * The requirement of which a loop of level wire has the occasion where the model gave a call no id, or two calls one. Then the loop makes
 * ids, and nobody says which; what it mixes up or loses after that, it does because of them.
 */
export function doubtfulIds({ answers, driver }: Observation): string | undefined {
  if (!isWireDriver(driver)) return undefined;
  const ids = answers.flatMap(({ messages }) => messages.flatMap((one) => (one.type === "tool_call" ? [one.id] : [])));
  if (ids.includes("")) return "SESSION-10";
  return new Set(ids).size < ids.length ? "SESSION-9" : undefined;
}

/**
 * What is sent under the ids that are expected, where calls and results belong together as they should: each result answers the first
 * call of its id that none has answered yet. A loop may leave two calls under one id where the provider takes it.
 */
function underExpectedIds(expected: readonly Message[], received: readonly Message[]): Message[] {
  const open = new Map<string, string[]>();
  return received.map((message, at) => {
    if (message.type === "tool_result") return { ...message, id: open.get(message.id)?.shift() ?? message.id };
    if (message.type !== "tool_call") return message;
    const wanted = expected[at];
    const id = wanted?.type === "tool_call" ? wanted.id : message.id;
    open.set(message.id, [...(open.get(message.id) ?? []), id]);
    return { ...message, id };
  });
}

function listOf(body: unknown, key: string): unknown[] | undefined {
  const list = (body as Record<string, unknown> | undefined)?.[key];
  return Array.isArray(list) ? list : undefined;
}

function isSystem(message: unknown): boolean {
  const { role } = (message ?? {}) as { role?: unknown };
  return role === "system" || role === "developer";
}
