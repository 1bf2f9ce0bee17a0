// The interface of every session store, and what all of them share.

import { SPEC_VERSION } from "../core/session.ts";
import { fold, type Journal } from "../state/journal-records.ts";
import type { JournalRecord, Session, Snapshot } from "../../schemas/types.ts";

/** Keeps the journals of sessions. */
export interface SessionStore {
  /**
   * Opens a session for writing; a new one is empty. It is released by `close`, or when the process ends.
   * @throws SessionInUseError while it is open elsewhere
   * @see JOURNAL-16
   */
  open(id: string): Promise<OpenSession>;
  /** All records of a session, oldest first, without opening it; empty if there are none. */
  read(id: string): Promise<JournalRecord[]>;
  /** The sessions that have records, most recently written first. */
  list(): Promise<SessionEntry[]>;
  /**
   * Creates a session under another id with the messages of this one. A response with unanswered calls is omitted, so that
   * pending calls are decided in one place only.
   * @see JOURNAL-19
   */
  fork(id: string, newId: string): Promise<void>;
}

/** A session that is open for writing: the journal of its runs. */
export interface OpenSession extends Journal {
  readonly id: string;
  /** The partial record that was cut off at the end, if there was one. @see JOURNAL-17 */
  readonly torn: string | undefined;
  /** The session so far, for the next run to start from; empty if it is new. */
  session(): Promise<Session>;
  close(): Promise<void>;
}

export interface SessionEntry {
  id: string;
  /** When it was last written, in milliseconds since 1970. */
  updated_at: number;
}

/** The session is open for writing elsewhere. */
export class SessionInUseError extends Error {
  constructor(id: string, holder: string) {
    super(`The session ${id} is open for writing elsewhere: ${holder}. Close it there, or fork it under another id.`);
    this.name = "SessionInUseError";
  }
}

/**
 * The id, if two of them are never kept as one: half of a surrogate pair is written as another letter, always the same.
 * @throws Error otherwise
 * @see JOURNAL-21
 */
export function wellFormed(id: string): string {
  if (id.isWellFormed()) return id;
  throw new Error(
    `The id of a session ${JSON.stringify(id)} has half of a surrogate pair, which is no text. Choose another id.`,
  );
}

/** The session that its records amount to. */
export function sessionIn(records: JournalRecord[], id: string): Session {
  return records.length > 0 ? fold(records).state.session : { spec_version: SPEC_VERSION, id, messages: [] };
}

/** The first record of a fork. */
export function forked(records: JournalRecord[], id: string): JournalRecord {
  const { state } = fold(records);
  const { ending, unfinished: _, unsaid: __, tripped: ___, ...rest } = state;
  const isOpen = state.phase === "deciding" || state.phase === "suspended" || state.phase === "executing";
  const messages = isOpen ? state.session.messages.slice(0, state.response_start) : state.session.messages;
  const isOver = state.phase === "done" && ending !== undefined;
  const snapshot: Snapshot = {
    ...rest,
    phase: "done",
    session: { ...state.session, id, messages },
    decisions: [],
    ending: isOver ? ending : { status: "cancelled" },
  };
  return { type: "begin", spec_version: SPEC_VERSION, snapshot };
}
