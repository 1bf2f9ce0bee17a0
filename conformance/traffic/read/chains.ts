// Links recorded requests to the ones that they continue: a recording may have several conversations, and retries.

import type { Message } from "../../../schemas/types.ts";
import type { GenericRequest } from "../../kit/wire/codec.ts";
import { essence } from "./essence.ts";
import type { ReadExchange } from "./read-exchange.ts";

/** An exchange whose request could be read. */
export type ReadableExchange = ReadExchange & Required<Pick<ReadExchange, "request" | "answer" | "provider">>;

/** A request, and the exchange that it continues. */
export interface Link {
  before: ReadableExchange;
  after: ReadableExchange;
  /** `again`: the answer before failed, or was empty, and the same is asked once more. `on`: the answer is part of the request. */
  kind: "again" | "on";
}

/** The exchange that each one continues, by its number; none for the first of a conversation. */
export function linksOf(exchanges: readonly ReadExchange[]): Map<number, Link> {
  const readable = exchanges.filter(hasRequest);
  const links = new Map<number, Link>();
  for (const [at, after] of readable.entries()) {
    const candidates = readable.slice(0, at).flatMap((before) => linkOf(before, after) ?? []);
    // The longest one: of the requests of a conversation, the last.
    const best = candidates.reduce<Link | undefined>((found, link) => (longer(link, found) ? link : found), undefined);
    if (best) links.set(after.number, best);
  }
  return links;
}

/** The exchange and all that it continues, first to last; failed attempts are left out. */
export function conversationOf(exchange: ReadableExchange, links: ReadonlyMap<number, Link>): ReadableExchange[] {
  const conversation = [exchange];
  for (let link = links.get(exchange.number); link; link = links.get(link.before.number)) {
    if (link.kind === "on") conversation.unshift(link.before);
  }
  return conversation;
}

/** With how many messages both requests begin alike. */
export function alike(one: readonly Message[], other: readonly Message[]): number {
  const differs = one.findIndex((message, at) => !other[at] || essence(message) !== essence(other[at]));
  return differs < 0 ? one.length : differs;
}

/** Whether a request begins with all that an earlier one of its provider had; `conversationOf` is for those that have its answer, too. */
export function goesOnFrom(before: ReadableExchange, after: ReadableExchange): boolean {
  const { messages } = before.request;
  const isLater = before.provider === after.provider && before.number < after.number && messages.length > 0;
  return isLater && alike(messages, after.request.messages) === messages.length;
}

/** What a request has beyond an earlier one from which it goes on. */
export function newMessages(before: ReadableExchange, after: ReadableExchange): Message[] {
  return after.request.messages.slice(before.request.messages.length);
}

function linkOf(before: ReadableExchange, after: ReadableExchange): Link | undefined {
  if (before.provider !== after.provider || !sharesPrefix(before.request, after.request)) return undefined;
  if (isRepeated(before.answer.messages, after.request)) return { before, after, kind: "on" };
  const isSame = isSameRequest(before, after);
  const hasNoAnswer = before.answer.error !== undefined || before.answer.messages.length === 0;
  return isSame && hasNoAnswer ? { before, after, kind: "again" } : undefined;
}

function sharesPrefix({ messages: one }: GenericRequest, { messages: other }: GenericRequest): boolean {
  return one.length > 0 && alike(one.slice(0, 1), other) === 1;
}

/** Whether a request has something that the answer said. */
function isRepeated(answer: readonly Message[], { messages }: GenericRequest): boolean {
  const calls = new Set(messages.flatMap((message) => (message.type === "tool_call" ? [message.id] : [])));
  const texts = new Set(messages.flatMap((message) => (message.role === "assistant" ? [message.content] : [])));
  return answer.some((message) => {
    if (message.type === "tool_call") return calls.has(message.id);
    return message.role === "assistant" && texts.has(message.content);
  });
}

function isSameRequest({ request: one }: ReadableExchange, { request: other }: ReadableExchange): boolean {
  return one.messages.length === other.messages.length && alike(one.messages, other.messages) === one.messages.length;
}

function longer(link: Link, than: Link | undefined): boolean {
  return !than || link.before.request.messages.length >= than.before.request.messages.length;
}

/** Whether the request of an exchange could be read. */
export function hasRequest(exchange: ReadExchange): exchange is ReadableExchange {
  return exchange.request !== undefined && exchange.answer !== undefined && exchange.provider !== undefined;
}
