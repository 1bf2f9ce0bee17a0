// Edits a session between two runs: append input, fork, read, and splice.

import { SPEC_VERSION } from "../core/session.ts";
import { repairSession, type Change } from "./repair-session.ts";
import { checkSession, majorOf } from "./check-session.ts";
import type { Message, Part, Session } from "../../schemas/types.ts";
import { uniqueHex } from "../support/unique-id.ts";
import { clone } from "../support/clone.ts";

/** Input to an agent: a text, the parts of one user message, or messages. An empty list adds nothing. */
export type Input = string | Part[] | Message[];

/** What a run starts on: a session, a session with additional input, or only input, which creates a new session. */
export type SessionOrInput = { session: Session; input?: Input } | { session?: Session; input: Input };

/** The session on which a run starts. The arguments are not modified. @see SESSION-3 */
export function sessionOf({ session, input = [] }: SessionOrInput): Session {
  const { messages, ...rest } = session ?? { spec_version: SPEC_VERSION, id: uniqueHex(), messages: [] };
  return { ...rest, messages: [...messages, ...messagesOf(input)] };
}

function messagesOf(input: Input): Message[] {
  if (typeof input !== "string" && input.every(isMessage)) return input;
  return [{ role: "user", content: input as string | Part[] }];
}

/** Messages have a role, or a type that no part has. */
function isMessage(one: Part | Message): one is Message {
  return "role" in one || MESSAGE_TYPES.includes(one.type);
}

const MESSAGE_TYPES: unknown[] = ["thinking", "tool_call", "tool_result", "provider_item"] satisfies Message["type"][];

/** An independent copy of a session under another id. */
export function forkSession(session: Session, id: string): Session {
  return { ...clone(session), id };
}

/**
 * Replaces `messages[from:to]` by other messages: none to remove them, one to summarize them.
 * @returns a new session; the argument is not modified
 * @throws Error if that would separate calls from their results, or violate another rule of sessions
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
 * Reads a session from JSON of any program. `JSON.stringify` writes one.
 * @returns the session, repaired so that it can run, and the changes
 * @throws Error if the text is not a session, or has an unknown version
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
