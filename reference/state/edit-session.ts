// What is done with a session between two runs: something is said to it, it is copied, read in, and a part of it replaced.

import { SPEC_VERSION } from "../core/session.ts";
import { repairSession, type Change } from "./repair-session.ts";
import { checkSession, majorOf } from "./check-session.ts";
import type { Message, Part, Session } from "../../schemas/types.ts";

/** What is said to an agent: a text, the parts of one user message, or messages. An empty list says nothing. */
export type Input = string | Part[] | Message[];

/** What a run begins on: a session, one to which something is said first, or only that; then the session is a new one. */
export type SessionOrInput = { session: Session; input?: Input } | { session?: Session; input: Input };

/** The session on which a run begins. What is passed in stays as it is. @see SESSION-3 */
export function sessionOf({ session, input = [] }: SessionOrInput): Session {
  const { messages, ...rest } = session ?? { spec_version: SPEC_VERSION, id: crypto.randomUUID(), messages: [] };
  return { ...rest, messages: [...messages, ...messagesOf(input)] };
}

function messagesOf(input: Input): Message[] {
  if (typeof input !== "string" && input.every(isMessage)) return input;
  return [{ role: "user", content: input as string | Part[] }];
}

/** What has a role, or a type that no part has. */
function isMessage(one: Part | Message): one is Message {
  return "role" in one || MESSAGE_TYPES.includes(one.type);
}

const MESSAGE_TYPES: unknown[] = ["thinking", "tool_call", "tool_result", "provider_item"] satisfies Message["type"][];

/** A copy of a session under an id of its own: what happens to one does not happen to the other. */
export function forkSession(session: Session, id: string): Session {
  return { ...structuredClone(session), id };
}

/**
 * Puts other messages in place of `messages[from:to]`: none to leave a part out, one to sum it up.
 * @returns a new session; the one that is passed in stays as it is
 * @throws Error where that would part calls from their results, or leave another rule of sessions broken that was kept before
 */
export function spliceSession(session: Session, from: number, to: number, ...messages: Message[]): Session {
  const { length } = session.messages;
  const isRange = Number.isInteger(from) && Number.isInteger(to) && 0 <= from && from <= to && to <= length;
  if (!isRange) throw new Error(`Expected a range within the ${length} messages of the session, got ${from} to ${to}.`);
  const next = { ...session, messages: session.messages.toSpliced(from, to - from, ...messages) };
  const known = new Set(checkSession(session).map(({ message }) => message));
  const broken = checkSession(next).find(({ message }) => !known.has(message));
  if (!broken) return next;
  throw new Error(
    `${broken.message} (${broken.pointer}) if messages ${from} to ${to} are replaced. Replace whole responses, with their results.`,
  );
}

/**
 * Reads a session from its JSON, whoever wrote it. `JSON.stringify` writes one.
 * @returns the session as it can be run, and what had to be changed for that
 * @throws Error where the text is no session, or one of a version that is not known
 * @see SESSION-18 SESSION-21
 */
export function readSession(text: string): { session: Session; changes: Change[] } {
  const session = JSON.parse(text) as Partial<Session> | null;
  const { spec_version, id, messages } = session ?? {};
  if (typeof spec_version !== "string" || typeof id !== "string" || !Array.isArray(messages))
    throw new Error(`Expected a session { spec_version, id, messages }, got ${text.slice(0, 80)}.`);
  if (majorOf(spec_version) !== majorOf(SPEC_VERSION))
    throw new Error(`The session has version ${spec_version}, but only ${majorOf(SPEC_VERSION)}.x can be read.`);
  return repairSession(session as Session);
}
