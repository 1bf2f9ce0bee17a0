// Checks the replacement of a strategy against what a session must keep.

import { isSameJson } from "../../support/equal-json.ts";
import { isType } from "../../core/session.ts";
import { checkSession } from "../../state/check-session.ts";
import type { Message, Session } from "../../../schemas/types.ts";
import { firstUser, isError, isSealed, latestAsked, startOfLast } from "./responses.ts";
import { isShorterForm } from "./shorten.ts";
import type { Replacement } from "./strategy.ts";

/**
 * The session after a replacement, or why the replacement is rejected.
 * @param session a valid one; it is not modified
 * @see COMPACT-20
 */
export function replaced(
  session: Session,
  { from, to, messages }: Replacement,
): { session: Session } | { broken: string } {
  const before = session.messages;
  const isRange = Number.isInteger(from) && Number.isInteger(to) && 0 <= from && from <= to && to <= before.length;
  if (!isRange) return { broken: `it replaces messages ${from} to ${to} of ${before.length}` };
  const after = [...before.slice(0, from), ...messages, ...before.slice(to)];
  const next = { ...session, messages: after };
  const broken = brokenIn(before, after) ?? checkSession(next, { toStart: true })[0]?.message;
  return broken === undefined ? { session: next } : { broken };
}

/** The first problem of the new messages; undefined if there is none. */
export function brokenIn(before: readonly Message[], after: readonly Message[]): string | undefined {
  const head = firstUser(before) + 1;
  const tail = before.length - Math.max(head, startOfLast(before, 1));
  const end = after.length - tail;
  if (end < head) return "the first user message and the last response do not both stay";
  for (let at = 0; at < head; at += 1) {
    if (!isSameJson(before[at], after[at])) return `message ${at} is not what it was, up to the first user message`;
  }
  for (let at = 0; at < tail; at += 1) {
    const [old, now] = [before[before.length - tail + at]!, after[end + at]!];
    if (!isSameJson(old, now) && !isShorterResult(now, old))
      return `message ${end + at} belongs to the last response, or comes after it, and is not what it was`;
  }
  return brokenBetween(before.slice(head, before.length - tail), after.slice(head, end), head, latestAsked(before));
}

/** Every message equals an old one, or is a shorter form of one, in the old order; or it replaces others. */
function brokenBetween(
  before: readonly Message[],
  after: readonly Message[],
  first: number,
  asked: Message | undefined,
): string | undefined {
  const isNeeded = (message: Message) => message === asked || mustStay(message);
  let next = 0;
  for (const [at, message] of after.entries()) {
    const same = indexFrom(before, next, (old) => isSameJson(old, message));
    const found = same >= 0 ? same : indexFrom(before, next, (old) => isShorter(message, old));
    if (found < 0 && replacesOthers(message)) continue;
    if (found < 0) return `message ${first + at} was not in the session, and is no shorter form of one that was`;
    const lost = before.slice(next, found).find(isNeeded);
    if (lost) return lostText(lost);
    next = found + 1;
  }
  const lost = before.slice(next).find(isNeeded);
  return lost && lostText(lost);
}

function indexFrom(messages: readonly Message[], first: number, test: (message: Message) => boolean): number {
  for (let at = first; at < messages.length; at += 1) if (test(messages[at]!)) return at;
  return -1;
}

function isShorter(message: Message, old: Message): boolean {
  if (isType(old, "thinking") && isSealed(old)) return false; // [COMPACT-8]
  return !mustStay(old) && isShorterForm(message, old) && isSameJson(withoutText(message), withoutText(old));
}

function isShorterResult(message: Message, old: Message): boolean {
  return isType(old, "tool_result") && isShorter(message, old);
}

/** A user message that replaces removed ones. @see COMPACT-11 */
function replacesOthers(message: Message): boolean {
  return message.role === "user" && "compacted" in message && message.compacted === true;
}

/** @see COMPACT-5 COMPACT-9 */
function mustStay(message: Message): boolean {
  const isKnown = message.role === "user" || message.role === "assistant" || isKnownType(message.type);
  return !isKnown || isError(message);
}

function isKnownType(type: unknown): boolean {
  return type === "thinking" || type === "tool_call" || type === "tool_result" || type === "provider_item";
}

function lostText(message: Message): string {
  if (message.role === "user") return "the latest user message that a person wrote does not stay as it was";
  return isError(message)
    ? `the result of ${message.id}, which is an error, does not stay as it was`
    : `a message with ${message.role === "system" ? "role system" : `type ${String(message.type)}`} does not stay as it was`;
}

/** The parts of a message that a shorter form keeps. */
function withoutText(message: Message): object {
  const {
    content: _c,
    input: _i,
    raw_input: _r,
    output,
    compacted: _k,
    ...rest
  } = message as unknown as Record<string, unknown>;
  return { ...rest, media: Array.isArray(output) ? output.filter(({ type }) => type !== "text") : [] };
}
