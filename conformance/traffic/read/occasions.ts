// Says which requirements a recording had an occasion for, and shows to be kept where nothing is found: what was done right, not what was not tried.

import type { ModelResponse, Message, ToolCallMessage } from "../../../schemas/types.ts";
import type { ProviderName, ProviderOccasion } from "../../kit/wire/codec.ts";
import { codecs } from "../../kit/wire/codecs.ts";
import { whyTaken } from "../../kit/wire/taken.ts";
import { essence } from "./essence.ts";
import { goesOnFrom, newMessages } from "./chains.ts";
import type { Link, ReadableExchange } from "./chains.ts";
import { forbiddenCalls } from "./check-execution.ts";
import { isRefusal } from "./check-refusal.ts";
import { isSameModel, sealsMadeBy, sealsSentIn } from "./check-seals.ts";
import { hasInterleavedCalls } from "./interleaved.ts";
import { resultsOf, saysError } from "./results-of.ts";

/** What is known of the traffic of a program, or of its traffic with one provider. */
export interface RecordedTraffic {
  requests: readonly ReadableExchange[];
  /** The requests that have the answer of an earlier one in them. */
  links: readonly Link[];
  /** The requests that repeat one that failed, or was answered with nothing. */
  repetitions: readonly Link[];
  /** Each answer that ended a run, with the request in which somebody says something new. */
  nextMessages: readonly Pick<Link, "before" | "after">[];
}

/** Whether something was seen that would have been otherwise if the requirement were broken. */
type Occasion = (seen: RecordedTraffic) => boolean;

/** Those of no provider alone. */
const ofEveryProvider: Readonly<Record<string, Occasion>> = {
  "LOOP-1": ({ links }) => links.length > 0,
  "LOOP-5": answeredAfter("tool_use"),
  "LOOP-6": answeredAfter("end_turn"),
  "LOOP-9": notExecuted("LOOP-9"),
  "LOOP-13": notExecuted("LOOP-13"),
  "LOOP-15": notExecuted("LOOP-15"),
  "LOOP-16": ({ requests }) => requests.some(isRefusal),
  "LOOP-17": notExecuted("LOOP-17"),
  "LOOP-19": brokenOff((message) => message.type === "tool_call"),
  "LOOP-21": ({ requests }) => requests.some(({ answer }) => !answer.error && answer.messages.length === 0),
  "PROVIDER-2": hasBatch,
  "PROVIDER-7": sealedThinkingComesBack,
  "PROVIDER-8": ({ requests }) =>
    requests.some((maker) => sealsMadeBy(maker).length > 0 && requests.some((other) => movesOn(maker, other))),
  "PROVIDER-9": hasResults,
  // What returned nothing is what a careless adapter makes an empty block of.
  "PROVIDER-11": ({ requests }) =>
    requests.some(({ request }) =>
      request.messages.some((message) => message.type === "tool_result" && message.output === ""),
    ),
  "PROVIDER-12": ({ links }) =>
    links.some(({ before: { exchange, provider } }) => {
      return hasHalfLetter(exchange.response) && whyTaken("PROVIDER-12", codecs[provider]) === undefined;
    }),
  "PROVIDER-13": ({ links }) => links.length > 0,
  "PROVIDER-15": interleavedCallsComeBack,
  "PROVIDER-20": ({ links }) => links.some(({ before }) => before.answer.messages.some(isThinking)),
  // Who asks the same again knows that the answer was none.
  "PROVIDER-22": ({ repetitions }) => repetitions.some(({ before }) => wasBrokenOff(before.answer)),
  "PROVIDER-26": ({ requests }) => requests.length > 0,
  "PROVIDER-35": ({ links }) =>
    links.some(({ before, after }) => before.answer.messages.some(isCallOf(after, hasLongNumber))),
  "RETRY-2": ({ repetitions }) =>
    repetitions.some(
      ({ before, after }) => before.answer.error?.retry_after_ms !== undefined && after.exchange.at_ms !== undefined,
    ),
  "SESSION-4": ({ links }) => links.some(({ before, after }) => comeBack(before.answer.messages, after) > 1),
  "SESSION-6": hasResults,
  "SESSION-7": hasBatch,
  "SESSION-9": ({ links }) =>
    links.some(({ before, after }) =>
      before.answer.messages.some(
        (call) =>
          isCall(call) && callIds(before.request.messages).has(call.id) && callIds(newMessages(before, after)).size > 0,
      ),
    ),
  "SESSION-13": brokenOff(() => true),
  "SESSION-26": ({ nextMessages }) => nextMessages.length > 0,
  "SESSION-27": ({ nextMessages }) =>
    nextMessages.some(({ before }) => before.request.messages.some(({ type }) => type === "tool_result")),
  "SESSION-28": ({ nextMessages }) => nextMessages.some(({ after }) => after.exchange.response.status < 400),
  "SESSION-30": ({ nextMessages }) => nextMessages.some(({ before }) => before.request.messages.some(isUser)),
  "SESSION-31": ({ nextMessages }) => nextMessages.some(({ after }) => sealsSentIn(after).length > 0),
  "TOOL-1": ({ links }) =>
    links.some(({ before, after }) => before.answer.messages.some(isCallOf(after, hasNoArguments))),
  "TOOL-3": notExecuted("TOOL-3"),
  "TOOL-5": notExecuted("TOOL-5"),
  "TOOL-9": ({ links }) =>
    links.some(({ before, after }) => resultsOf(before.answer, after).some(({ id }) => isUnknown(before, id))),
  "TOOL-11": mixedBatch(
    (link, id) => forbiddenCalls(link).some(({ call }) => call.id === id) || isUnknown(link.before, id),
  ),
  "TOOL-14": ({ links }) =>
    links.some((link) => resultsOf(link.before.answer, link.after).some(({ is_error }) => is_error === true)),
  "TOOL-16": mixedBatch((link, id) =>
    resultsOf(link.before.answer, link.after).some((one) => one.id === id && saysError(one)),
  ),
};

/** What can occur with a provider. */
const named: Readonly<Record<ProviderOccasion, Occasion>> = {
  request: ({ requests }) => requests.length > 0,
  declared_tools: declaresTools,
  result: hasResults,
  call: ({ requests }) => requests.some(({ request }) => request.messages.some(isCall)),
  batch: hasBatch,
  interleaved_calls: interleavedCallsComeBack,
  sealed_call: ({ links }) => links.some(({ before, after }) => before.answer.messages.some(isCallOf(after, isSealed))),
  sealed_thinking: sealedThinkingComesBack,
  blank_text: ({ links }) =>
    links.some(({ before }) =>
      before.answer.messages.some((message) => isText(message) && message.content.trim() === ""),
    ),
  unreadable_arguments: ({ links }) =>
    links.some(({ before, after }) => before.answer.messages.some(isCallOf(after, ({ input }) => input === null))),
  provider_item: ({ links }) =>
    links.some(({ before, after }) =>
      before.answer.messages.some((message) => message.type === "provider_item" && comeBack([message], after) > 0),
    ),
  long_call_id: ({ links }) =>
    links.some(({ before }) => before.answer.messages.some((call) => isCall(call) && call.id.length > 40)),
  ping: ({ links }) => links.some(({ before }) => /"type":\s*"ping"/.test(JSON.stringify(before.exchange.response))),
};

/**
 * The requirements that requests show, each with its occasion. One with the prefix of a provider is looked for in the traffic with that
 * provider alone; its folder says which they are. `unseen.ts` says of others why they are not here.
 * @see FIXTURE-10
 */
export const occasions: Readonly<Record<string, Occasion>> = {
  ...ofEveryProvider,
  ...Object.fromEntries(
    Object.values(codecs).flatMap(({ traffic }) =>
      Object.entries(traffic.occasions).map(([number, name]) => [`${traffic.chapter}-${number}`, named[name]]),
    ),
  ),
};

/** The provider that a requirement is about; undefined for one that is about all. */
export function providerOfRequirement(id: string): ProviderName | undefined {
  const chapter = id.replace(/-\d+$/, "");
  return Object.values(codecs).find(({ traffic }) => traffic.chapter === chapter)?.provider;
}

/** What is known, of the traffic with one provider or of all of it. */
export function trafficOf(
  all: readonly ReadableExchange[],
  allLinks: ReadonlyMap<number, Link>,
  provider?: ProviderName,
): RecordedTraffic {
  const requests = all.filter((one) => provider === undefined || one.provider === provider);
  const links = requests.flatMap(({ number }) => allLinks.get(number) ?? []);
  const nextMessages = requests.flatMap((after) => {
    const before = requests.findLast((one) => goesOnFrom(one, after));
    return before && endsRun(before.answer) && newMessages(before, after).some(isUser) ? [{ before, after }] : [];
  });
  return {
    requests,
    links: links.filter(({ kind }) => kind === "on"),
    repetitions: links.filter(({ kind }) => kind === "again"),
    nextMessages,
  };
}

/** An answer after which a loop has nothing to do. */
function endsRun({ messages, stop_reason, error }: ModelResponse): boolean {
  return error !== undefined || stop_reason !== "tool_use" || !messages.some(isCall);
}

/** The calls of an answer with this stop reason have results that are no errors. */
function answeredAfter(reason: ModelResponse["stop_reason"]): Occasion {
  return ({ links }) =>
    links.some(
      ({ before, after }) =>
        before.answer.stop_reason === reason && resultsOf(before.answer, after).some((result) => !saysError(result)),
    );
}

/** A call that must not be executed has a result that says that it was not. */
function notExecuted(requirement: string): Occasion {
  return ({ links }) =>
    links.some((link) => {
      const results = resultsOf(link.before.answer, link.after);
      return forbiddenCalls(link).some(
        (one) =>
          one.requirement === requirement && results.some((result) => result.id === one.call.id && saysError(result)),
      );
    });
}

/** Something of an answer had come when it broke off, and a later request of the conversation goes on without it. */
function brokenOff(has: (message: Message) => boolean): Occasion {
  return ({ requests }) =>
    requests.some(
      (before) =>
        wasBrokenOff(before.answer) &&
        before.answer.messages.some(has) &&
        requests.some((after) => goesOnFrom(before, after) && comeBack(before.answer.messages, after) === 0),
    );
}

function wasBrokenOff({ stop_reason, error }: ModelResponse): boolean {
  return error !== undefined && (stop_reason === "interrupted" || stop_reason === "error");
}

/** One call of a batch came to nothing, and another one was executed all the same. */
function mixedBatch(isLost: (link: Link, id: string) => boolean): Occasion {
  return ({ links }) =>
    links.some((link) => {
      const results = resultsOf(link.before.answer, link.after);
      return (
        results.some(({ id }) => isLost(link, id)) && results.some((one) => !isLost(link, one.id) && !saysError(one))
      );
    });
}

function hasResults({ requests }: RecordedTraffic): boolean {
  return requests.some(({ request }) => request.messages.some(({ type }) => type === "tool_result"));
}

function hasBatch({ links }: RecordedTraffic): boolean {
  return links.some(({ before, after }) => resultsOf(before.answer, after).length > 1);
}

function declaresTools({ requests }: RecordedTraffic): boolean {
  return requests.some(({ request }) => request.tools.length > 0);
}

function sealedThinkingComesBack({ links }: RecordedTraffic): boolean {
  return links.some(({ before, after }) => {
    const made = sealsMadeBy(before);
    return made.length > 0 && sealsSentIn(after).some((seal) => made.includes(seal));
  });
}

function interleavedCallsComeBack({ links }: RecordedTraffic): boolean {
  return links.some(
    ({ before, after }) =>
      hasInterleavedCalls(before.provider, before.exchange.response) &&
      before.answer.messages.some(isCallOf(after, () => true)),
  );
}

/** The other one goes on with the conversation, with another model, and has nothing of what was sealed. */
function movesOn(maker: ReadableExchange, other: ReadableExchange): boolean {
  if (other.number <= maker.number || isSameModel(maker, other)) return false;
  const texts = new Set(other.request.messages.filter(isText).map(({ content }) => JSON.stringify(content)));
  const spoken = [...maker.request.messages.filter(isUser), ...maker.answer.messages].filter(isText);
  return spoken.length > 0 && spoken.every(({ content }) => texts.has(JSON.stringify(content)));
}

/** How many of these messages a request has among what is new in it. */
function comeBack(messages: readonly Message[], { request }: ReadableExchange): number {
  const sent = new Set(request.messages.map(essence));
  const ids = callIds(request.messages);
  return messages.filter((message) => sent.has(essence(message)) || (isCall(message) && ids.has(message.id))).length;
}

/** In JSON, half of a surrogate pair is always written as an escape. */
function hasHalfLetter(response: unknown): boolean {
  return /\\ud[89a-f][0-9a-f]{2}/i.test(JSON.stringify(response));
}

function isUnknown({ answer, request }: ReadableExchange, id: string): boolean {
  const call = answer.messages.find((message): message is ToolCallMessage => isCall(message) && message.id === id);
  return call !== undefined && request.tools.length > 0 && request.tools.every(({ name }) => name !== call.name);
}

/** Whether it is a call of this kind that a request has again. */
function isCallOf({ request }: ReadableExchange, holds: (call: ToolCallMessage) => boolean) {
  return (message: Message) => isCall(message) && holds(message) && callIds(request.messages).has(message.id);
}

function hasLongNumber({ raw_input, input }: ToolCallMessage): boolean {
  return input !== null && /\d{16,}/.test(raw_input ?? "");
}

function isSealed({ opaque }: ToolCallMessage): boolean {
  return typeof opaque?.["signature"] === "string";
}

function hasNoArguments({ input, raw_input }: ToolCallMessage): boolean {
  return input !== null && raw_input === undefined && Object.keys(input).length === 0;
}

function callIds(messages: readonly Message[]): ReadonlySet<string> {
  return new Set(messages.filter(isCall).map(({ id }) => id));
}

function isCall(message: Message): message is ToolCallMessage {
  return message.type === "tool_call";
}

function isThinking({ type }: Message): boolean {
  return type === "thinking";
}

function isUser(message: Message): boolean {
  return "role" in message && message.role === "user";
}

function isText(message: Message): message is Extract<Message, { role: string }> & { content: string } {
  return "role" in message && "content" in message && typeof message.content === "string";
}
