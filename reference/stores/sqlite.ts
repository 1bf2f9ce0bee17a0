// A session store in one SQLite database, for many sessions and many processes of one machine.

import { randomUUID } from "node:crypto";
import { open } from "node:fs/promises";

import type { AppendPosition } from "../state/journal-records.ts";
import type { JournalRecord } from "../../schemas/types.ts";
import { inTurn } from "./in-turn.ts";
import { heartbeat, leaseOf, type LeaseOptions } from "./lease.ts";
import { unwritable } from "./place.ts";
import { describe, mayBeAlive, thisProcess, type ProcessMark } from "./process-mark.ts";
import {
  closedError,
  forkInto,
  replacedError,
  sessionIn,
  SessionInUseError,
  wellFormed,
  type OpenSession,
  type QueueStore,
  type SessionEntry,
} from "./session-store.ts";
import { inTransaction, together } from "./together.ts";
import { isBusy, whenFree } from "./when-free.ts";

export {
  SessionInUseError,
  type OpenSession,
  type QueueStore,
  type SessionEntry,
  type SessionStore,
  type TakenSession,
} from "./session-store.ts";
export type { LeaseOptions } from "./lease.ts";

/** A store with an open database. `close` also closes its sessions. */
export interface SqliteStore extends QueueStore {
  close(): void;
}

interface Writer extends ProcessMark {
  /** Unique each time that a process opens a session. */
  token: string;
  /** When the lease ends. */
  until: number;
}

/** How long a statement waits for another process before this one does something else, in milliseconds. */
const PATIENCE = 25;

/**
 * A store of sessions in a database file, which is created if missing; `:memory:` keeps them while the store is open.
 * When `append` resolves, a record survives a crash of the machine, not only of the process.
 *
 * Statements run in the thread of the program. While another process writes, they are tried again and again without holding the program
 * up for longer than 50 ms; after the length of the lease they fail. The file has to be on a local disk.
 * @throws Error if this Node lacks node:sqlite, or the file cannot be written
 * @see JOURNAL-16 JOURNAL-18 JOURNAL-21 JOURNAL-23 JOURNAL-27 JOURNAL-28 JOURNAL-29
 */
export async function sqliteStore(file: string, options: LeaseOptions = {}): Promise<SqliteStore> {
  const lease = leaseOf(options);
  const { DatabaseSync } = await import("node:sqlite").catch(() => {
    throw new Error(`This Node (${process.version}) has no node:sqlite. Use Node 22.13 or later, or jsonlStore.`);
  });
  const openFile = async () => {
    await createForOwner(file);
    return new DatabaseSync(file, { timeout: PATIENCE });
  };
  const db = await openFile().catch((error: unknown) => {
    throw unwritable(file, error);
  });
  const free = <T>(act: () => T): Promise<T> => whenFree(act, lease.ms);
  const whole = together(db, lease.ms);
  await free(() => db.exec(schema)).catch((error: unknown) => {
    db.close();
    throw error;
  });

  const writerOf = db.prepare("SELECT writer FROM sessions WHERE id = ?");
  const own = db.prepare(
    "INSERT INTO sessions (id, writer, updated_at) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET writer = excluded.writer",
  );
  const extend = db.prepare("UPDATE sessions SET writer = ? WHERE id = ?");
  const release = db.prepare("UPDATE sessions SET writer = NULL WHERE id = ?");
  const touch = db.prepare("UPDATE sessions SET updated_at = ? WHERE id = ?");
  const lengthOf = db.prepare("SELECT coalesce(max(seq), 0) AS length FROM records WHERE session = ?");
  const add = db.prepare("INSERT INTO records (session, seq, record) VALUES (?, ?, ?)");
  const all = db.prepare("SELECT record FROM records WHERE session = ? ORDER BY seq");
  const entries = db.prepare(
    "SELECT id, updated_at FROM sessions WHERE EXISTS (SELECT 1 FROM records WHERE session = id) ORDER BY updated_at DESC, id",
  );
  const addJob = db.prepare("INSERT INTO jobs (session, job) VALUES (?, ?)");
  const jobsOf = db.prepare("SELECT n, job FROM jobs WHERE session = ? ORDER BY n");
  const removeJobs = db.prepare("DELETE FROM jobs WHERE session = ? AND n <= ?");
  const queue = db.prepare("INSERT INTO waiting (session) VALUES (?) ON CONFLICT (session) DO NOTHING");
  const unqueue = db.prepare("DELETE FROM waiting WHERE session = ?");
  const waiting = db.prepare("SELECT session FROM waiting ORDER BY place");

  const openSessions = new Set<{ token: string; id: string; renew: () => Promise<void> }>();
  const stop = heartbeat(lease.ms, () => Promise.all([...openSessions].map(({ renew }) => renew())));

  function holderOf(id: string): Writer | undefined {
    const row = writerOf.get(id) as { writer: string | null } | undefined;
    return row?.writer ? (JSON.parse(row.writer) as Writer) : undefined;
  }

  function recordsOf(id: string): JournalRecord[] {
    return (all.all(id) as { record: string }[]).map(({ record }) => JSON.parse(record) as JournalRecord);
  }

  function activeHolder(id: string): Writer | undefined {
    const holder = holderOf(id);
    return holder && holder.until > lease.now() && mayBeAlive(holder) ? holder : undefined;
  }

  /** Takes the session, in a transaction. */
  function hold(id: string): Writer {
    const mine: Writer = { ...thisProcess(), token: randomUUID(), until: lease.now() + lease.ms };
    own.run(id, JSON.stringify(mine), Date.now());
    return mine;
  }

  async function openSession(id: string): Promise<OpenSession> {
    wellFormed(id);
    const writer = await whole(() => {
      const holder = activeHolder(id);
      if (holder) throw new SessionInUseError(id, describe(holder));
      return hold(id);
    });
    return opened(id, writer).session;
  }

  function opened(id: string, writer: Writer) {
    const one = inTurn();
    let closed: Promise<void> | undefined;
    /** Renews the lease, in a transaction. */
    const remain = (): void => {
      if (holderOf(id)?.token !== writer.token) throw replacedError(id);
      extend.run(JSON.stringify({ ...writer, until: lease.now() + lease.ms }), id);
    };
    const ifOpen = async (act: () => void): Promise<void> => {
      if (closed) throw closedError(id);
      return one(() => whole(act));
    };
    const entry = { token: writer.token, id, renew: () => whole(remain) };
    openSessions.add(entry);
    const session: OpenSession = {
      id,
      torn: undefined, // transactions are atomic
      read: () => free(() => recordsOf(id)),
      session: async () => sessionIn(await session.read(), id),
      append: (records, at) =>
        ifOpen(() => {
          remain();
          addRecords(id, records, at);
        }),
      close() {
        closed ??= one(() => (openSessions.delete(entry) ? whole(() => letGo(id, writer.token)) : Promise.resolve()));
        return closed;
      },
    };
    return { session, ifOpen, remain };
  }

  function addRecords(id: string, records: JournalRecord[], at: AppendPosition | undefined): void {
    const { length } = lengthOf.get(id) as { length: number };
    if (at && at.after !== length) throw replacedError(id, at.after, length);
    for (const [i, record] of records.entries()) add.run(id, length + i + 1, JSON.stringify(record));
    touch.run(Date.now(), id);
  }

  function letGo(id: string, token: string): void {
    if (holderOf(id)?.token === token) release.run(id);
  }

  return {
    open: openSession,
    read: async (id) => {
      wellFormed(id);
      return free(() => recordsOf(id));
    },
    list: () => free(() => entries.all().map((entry) => ({ ...entry }) as unknown as SessionEntry)),
    fork: async (id, newId) => {
      wellFormed(id);
      return forkInto(await free(() => recordsOf(id)), newId, openSession);
    },

    async enqueue(id, job) {
      wellFormed(id);
      await whole(() => {
        addJob.run(id, JSON.stringify(job));
        queue.run(id);
      });
    },

    async take() {
      const found = await whole(() => {
        for (const { session: id } of waiting.all() as { session: string }[]) {
          if (activeHolder(id)) continue;
          unqueue.run(id);
          queue.run(id); // behind the others, should it have to be taken again
          return { id, writer: hold(id), jobs: jobsOf.all(id) as { n: number; job: string }[] };
        }
        return undefined;
      });
      if (!found) return undefined;
      const { id, writer, jobs } = found;
      const { session, ifOpen, remain } = opened(id, writer);
      return {
        ...session,
        jobs: jobs.map(({ job }) => JSON.parse(job) as unknown),
        done: () =>
          ifOpen(() => {
            remain();
            removeJobs.run(id, jobs.at(-1)!.n);
            if (jobsOf.all(id).length === 0) unqueue.run(id);
          }),
      };
    },

    close() {
      stop();
      for (const { id, token } of openSessions) {
        try {
          inTransaction(db, () => letGo(id, token));
        } catch (error) {
          if (!isBusy(error)) throw error; // if it is, the lease ends by itself
        }
      }
      openSessions.clear();
      db.close();
    },
  };
}

const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, writer TEXT, updated_at INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS records (
    session TEXT NOT NULL REFERENCES sessions (id),
    seq INTEGER NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (session, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS jobs (n INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, job TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS jobs_of_session ON jobs (session, n);
  CREATE TABLE IF NOT EXISTS waiting (place INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL UNIQUE) STRICT;
`;

/** The files beside a database get its mode, so that all of them are for their owner only. */
async function createForOwner(file: string): Promise<void> {
  if (file === "" || file === ":memory:" || file.startsWith("file:")) return;
  await (await open(file, "a", 0o600)).close();
}
