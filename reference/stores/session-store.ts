// What every store of sessions can do, wherever it keeps them.

import { SPEC_VERSION } from "../core/session.ts";
import { fold, type Journal } from "../state/journal-records.ts";
import type { JournalRecord, Session, Snapshot } from "../../schemas/types.ts";

/** Keeps the journals of sessions. */
export interface SessionStore {
  /**
   * Opens a session for writing; one that is not there begins empty. It is given back by `close`, or when the process ends.
   * @throws SessionInUseError while somebody else has it
   * @see JOURNAL-16
   */
  open(id: string): Promise<OpenSession>;
  /** Every record of a session, oldest first, without opening it; an empty list where there is none. */
  read(id: string): Promise<JournalRecord[]>;
  /** The sessions that have records, the one that was written last first. */
  list(): Promise<SessionEntry[]>;
  /**
   * Begins a session under another id with what was said in this one. A response that is not answered stays out, and with it
   * the calls that wait: they are decided about in one place only.
   * @see JOURNAL-19
   */
  fork(id: string, newId: string): Promise<void>;
}

/** A session that is open for writing: the journal of its runs. */
export interface OpenSession extends Journal {
  readonly id: string;
  /** What was cut off at the end because it had not been written whole, if anything was. @see JOURNAL-17 */
  readonly torn: string | undefined;
  /** What was said in it so far, for the next run to begin on; an empty session where nothing was. */
  session(): Promise<Session>;
  close(): Promise<void>;
}

export interface SessionEntry {
  id: string;
  /** When it was written last, in milliseconds since 1970. */
  updated_at: number;
}

/** Somebody else writes to the session. */
export class SessionInUseError extends Error {
  constructor(id: string, who: string) {
    super(`The session ${id} is open for writing elsewhere: ${who}. Close it there, or fork it under another id.`);
    this.name = "SessionInUseError";
  }
}

/** What was said, by the records of a session. */
export function sessionIn(records: JournalRecord[], id: string): Session {
  return records.length > 0 ? fold(records).state.session : { spec_version: SPEC_VERSION, id, messages: [] };
}

/** The one record with which a fork begins. */
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
