// The interface of every session store, and what all of them share.

import { SPEC_VERSION } from "../core/session.ts";
import { fold, JOURNAL_VERSION, SupersededError, type Journal } from "../state/journal-records.ts";
import type { JournalRecord, Session, Snapshot } from "../../schemas/types.ts";

/** Keeps the journals of sessions. */
export interface SessionStore {
  /**
   * Opens a session for writing; a new one is empty. It is released by `close`, when the process ends, or at the latest when the
   * process has given no sign of life for the length of the lease: then the next one to open it replaces the writer, whose `append` is
   * rejected with a `SupersededError` from then on.
   * @throws SessionInUseError while it is open elsewhere
   * @see JOURNAL-16 JOURNAL-27 JOURNAL-28
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

/** A store in which sessions wait for workers: any number of processes take them, each session to one at a time. */
export interface QueueStore extends SessionStore {
  /**
   * Has a session wait for a worker, who gets the job: what to begin, or what was decided. A session that does not exist begins with it.
   * When the promise is fulfilled, the job outlives the process. A job is any JSON.
   */
  enqueue(id: string, job: unknown): Promise<void>;
  /**
   * Opens the session that has waited longest and is not open elsewhere; undefined if none waits. One that was taken waits again, behind
   * the others, when it is closed without `done`, or when its worker is gone.
   */
  take(): Promise<TakenSession | undefined>;
}

/** A session that a worker has taken. */
export interface TakenSession extends OpenSession {
  /**
   * All jobs since the last `done`, oldest first. A worker that was killed has perhaps done some of them: the journal says what of
   * them.
   */
  readonly jobs: readonly unknown[];
  /**
   * The jobs are done. The session waits no more, unless another job has come since it was taken.
   * @throws SupersededError if the writer was replaced
   */
  done(): Promise<void>;
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

/** The error of a writer that was replaced: at once, or because the journal has other records than it knows. @see JOURNAL-27 */
export function replacedError(id: string, after?: number, length?: number): SupersededError {
  const why =
    after === undefined || after === length
      ? "another writer has opened it, because this one gave no sign of life for the length of its lease"
      : `its journal has ${length} records, and this writer knows ${after}`;
  return new SupersededError(`The session ${id} was taken over: ${why}. Leave it to the other, or open it again.`);
}

export function closedError(id: string): Error {
  return new Error(`The session ${id} is closed. Open it again to write to it.`);
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

/**
 * Creates the session `newId` with the messages of the records of another one.
 * @throws Error if it exists
 * @see JOURNAL-19
 */
export async function forkInto(
  records: JournalRecord[],
  newId: string,
  openSession: SessionStore["open"],
): Promise<void> {
  const record = forked(records, newId);
  const target = await openSession(newId);
  try {
    if ((await target.read()).length > 0) throw new Error(`The session ${newId} already exists. Choose another id.`);
    await target.append([record]);
  } finally {
    await target.close();
  }
}

/** The first record of a fork. */
function forked(records: JournalRecord[], id: string): JournalRecord {
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
  return { type: "begin", spec_version: JOURNAL_VERSION, snapshot };
}
