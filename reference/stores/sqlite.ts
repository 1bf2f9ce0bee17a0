// A session store in one SQLite database, for many sessions.

import { randomUUID } from "node:crypto";
import { open } from "node:fs/promises";
import type { DatabaseSync } from "node:sqlite";

import type { JournalRecord } from "../../schemas/types.ts";
import { describe, mayBeAlive, thisProcess, type ProcessMark } from "./process-mark.ts";
import {
  forked,
  sessionIn,
  SessionInUseError,
  wellFormed,
  type OpenSession,
  type SessionEntry,
  type SessionStore,
} from "./session-store.ts";

export { SessionInUseError, type OpenSession, type SessionEntry, type SessionStore } from "./session-store.ts";

/** A store with an open database. `close` also closes its sessions. */
export interface SqliteStore extends SessionStore {
  close(): void;
}

interface Writer extends ProcessMark {
  /** Unique each time that a process opens a session. */
  token: string;
}

/**
 * A store of sessions in a database file, which is created if missing; `:memory:` keeps them while the store is open.
 * When `append` resolves, a record survives a crash of the machine, not only of the process.
 * @throws Error if this Node lacks node:sqlite
 * @see JOURNAL-16 JOURNAL-18 JOURNAL-21 JOURNAL-23
 */
export async function sqliteStore(file: string): Promise<SqliteStore> {
  const { DatabaseSync } = await import("node:sqlite").catch(() => {
    throw new Error(`This Node (${process.version}) has no node:sqlite. Use Node 22.13 or later, or jsonlStore.`);
  });
  await createForOwner(file);
  const db = new DatabaseSync(file, { timeout: 5_000 });
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, writer TEXT, updated_at INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS records (
      session TEXT NOT NULL REFERENCES sessions (id),
      seq INTEGER NOT NULL,
      record TEXT NOT NULL,
      PRIMARY KEY (session, seq)
    ) STRICT, WITHOUT ROWID;
  `);
  const writerOf = db.prepare("SELECT writer FROM sessions WHERE id = ?");
  const take = db.prepare(
    "INSERT INTO sessions (id, writer, updated_at) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET writer = excluded.writer",
  );
  const release = db.prepare("UPDATE sessions SET writer = NULL WHERE id = ? AND writer = ?");
  const touch = db.prepare("UPDATE sessions SET updated_at = ? WHERE id = ?");
  const add = db.prepare(
    "INSERT INTO records SELECT ?1, coalesce(max(seq), 0) + 1, ?2 FROM records WHERE session = ?1",
  );
  const all = db.prepare("SELECT record FROM records WHERE session = ? ORDER BY seq");
  const entries = db.prepare(
    "SELECT id, updated_at FROM sessions WHERE EXISTS (SELECT 1 FROM records WHERE session = id) ORDER BY updated_at DESC, id",
  );

  const openSessions = new Set<OpenSession>();
  const holder = (id: string) => (writerOf.get(id) as { writer: string | null } | undefined)?.writer ?? undefined;
  const recordsOf = (id: string) =>
    (all.all(id) as { record: string }[]).map(({ record }) => JSON.parse(record) as JournalRecord);

  function openSession(id: string): OpenSession {
    wellFormed(id);
    const mine: Writer = { ...thisProcess(), token: randomUUID() };
    const writer = JSON.stringify(mine);
    inTransaction(db, () => {
      const other = holder(id);
      const mark = other === undefined ? undefined : (JSON.parse(other) as Writer);
      if (mark && mayBeAlive(mark)) throw new SessionInUseError(id, describe(mark));
      take.run(id, writer, Date.now());
    });
    const session: OpenSession = {
      id,
      torn: undefined, // transactions are atomic
      read: async () => recordsOf(id),
      session: async () => sessionIn(recordsOf(id), id),
      async append(records) {
        inTransaction(db, () => {
          if (holder(id) !== writer) throw new Error(`The session ${id} is closed. Open it again to write to it.`);
          for (const record of records) add.run(id, JSON.stringify(record));
          touch.run(Date.now(), id);
        });
      },
      async close() {
        if (openSessions.delete(session)) release.run(id, writer);
      },
    };
    openSessions.add(session);
    return session;
  }

  return {
    open: async (id) => openSession(id),
    read: async (id) => recordsOf(wellFormed(id)),
    list: async () => entries.all().map((entry) => ({ ...entry }) as unknown as SessionEntry),

    async fork(id, newId) {
      const record = forked(recordsOf(wellFormed(id)), newId);
      const target = openSession(newId);
      try {
        if ((await target.read()).length > 0)
          throw new Error(`The session ${newId} already exists. Choose another id.`);
        await target.append([record]);
      } finally {
        await target.close();
      }
    },

    close() {
      for (const session of openSessions) void session.close();
      db.close();
    },
  };
}

/** The files beside a database get its mode, so that all of them are for their owner only. */
async function createForOwner(file: string): Promise<void> {
  if (file === "" || file === ":memory:" || file.startsWith("file:")) return;
  await (await open(file, "a", 0o600)).close();
}

/** Runs `act` as one exclusive transaction. */
function inTransaction(db: DatabaseSync, act: () => void): void {
  db.exec("BEGIN IMMEDIATE");
  try {
    act();
    db.exec("COMMIT");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}
