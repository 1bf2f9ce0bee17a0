// A session store in PostgreSQL, for many processes on many machines.

import { randomUUID } from "node:crypto";
import { hostname } from "node:os";

import type { AppendPosition } from "../state/journal-records.ts";
import type { JournalRecord } from "../../schemas/types.ts";
import { inTurn } from "./in-turn.ts";
import { heartbeat, leaseOf, type LeaseOptions } from "./lease.ts";
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
  type TakenSession,
} from "./session-store.ts";

export {
  SessionInUseError,
  type OpenSession,
  type QueueStore,
  type SessionEntry,
  type SessionStore,
  type TakenSession,
} from "./session-store.ts";
export type { LeaseOptions } from "./lease.ts";

/** What the store needs of a client: a `Pool` of `pg`, or anything that answers a query as it does. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[]; rowCount: number | null }>;
}

/**
 * The tables of the store, for those who migrate their database by other means. It may be run again, and by several at once. Records
 * are `json` and not `jsonb`, which would sort the keys of a tool's arguments: they are sent to the model again, byte by byte.
 */
export const postgresSchema = `
BEGIN;
SELECT pg_advisory_xact_lock(hashtext('agent_loop_sessions'));
CREATE TABLE IF NOT EXISTS agent_loop_sessions (
  id text COLLATE "C" PRIMARY KEY,
  epoch bigint NOT NULL DEFAULT 0,   -- counts the writers: only the last one may write
  holder text,                       -- the writer in words, for messages
  until bigint,                      -- when its lease ends, in milliseconds since 1970
  length bigint NOT NULL DEFAULT 0,  -- how many records there are
  updated_at bigint,                 -- when the last one was written
  jobs bigint NOT NULL DEFAULT 0,    -- how many jobs have ever come
  due bigint                         -- since when the session waits for a worker
);
CREATE INDEX IF NOT EXISTS agent_loop_sessions_due ON agent_loop_sessions (due) WHERE due IS NOT NULL;
CREATE TABLE IF NOT EXISTS agent_loop_records (
  session text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  record json NOT NULL,
  PRIMARY KEY (session, seq)
);
CREATE TABLE IF NOT EXISTS agent_loop_jobs (
  session text COLLATE "C" NOT NULL,
  n bigint NOT NULL,
  job json NOT NULL,
  PRIMARY KEY (session, n)
);
COMMIT;`;

/** Creates the tables where they are missing. The store itself never changes a schema. */
export async function migratePostgres(db: PostgresClient): Promise<void> {
  await db.query(postgresSchema);
}

/**
 * A store of sessions in a database that `migratePostgres` has prepared. When `append` resolves, a record is committed.
 *
 * A session belongs to its last writer until the end of its lease, by the clock of the database; `append` and `done` are single
 * statements that fail for every other writer, however long it stood still. The client stays yours: the store does not end it. The rights
 * on the tables decide who can read them.
 * @see JOURNAL-16 JOURNAL-18 JOURNAL-21 JOURNAL-27 JOURNAL-28 JOURNAL-29
 */
export function postgresStore(db: PostgresClient, options: LeaseOptions = {}): QueueStore {
  const lease = leaseOf(options);
  const now = options.clock ? () => String(Math.floor(lease.now())) : () => DATABASE_CLOCK;
  const holder = `process ${process.pid} on ${hostname()} (${randomUUID().slice(0, 8)})`;
  /** Runs a statement in which `:now` is the time, and `:until` the end of a lease that begins now. */
  const run = async (text: string, values: unknown[]) => {
    const until = `(${now()} + ${Math.ceil(lease.ms)})`;
    return db.query(text.replaceAll(":now", now()).replaceAll(":until", until), values);
  };

  async function recordsOf(id: string): Promise<JournalRecord[]> {
    const { rows } = await run("SELECT record FROM agent_loop_records WHERE session = $1 ORDER BY seq", [keepable(id)]);
    return rows.map(({ record }) => record as JournalRecord);
  }

  async function openSession(id: string): Promise<OpenSession> {
    const { rows } = await run(
      `INSERT INTO agent_loop_sessions AS s (id, epoch, holder, until) VALUES ($1, 1, $2, :until)
       ON CONFLICT (id) DO UPDATE SET epoch = s.epoch + 1, holder = excluded.holder, until = excluded.until
         WHERE s.until IS NULL OR s.until <= :now
       RETURNING epoch`,
      [keepable(id), holder],
    );
    if (rows[0]) return opened(id, rows[0]["epoch"]);
    const { rows: others } = await run("SELECT holder FROM agent_loop_sessions WHERE id = $1", [id]);
    throw new SessionInUseError(id, String(others[0]?.["holder"] ?? "an unknown process"));
  }

  function opened(id: string, epoch: unknown): OpenSession {
    const one = inTurn();
    let closed: Promise<void> | undefined;
    const stop = heartbeat(lease.ms, () =>
      run("UPDATE agent_loop_sessions SET until = :until WHERE id = $1 AND epoch = $2", [id, epoch]),
    );
    return {
      id,
      torn: undefined, // statements are atomic
      read: () => recordsOf(id),
      session: async () => sessionIn(await recordsOf(id), id),
      append: async (records, at) => {
        if (closed) throw closedError(id);
        return one(() => write(id, epoch, records, at));
      },
      close() {
        stop();
        closed ??= one(async () => {
          const release = "UPDATE agent_loop_sessions SET until = NULL, holder = NULL WHERE id = $1 AND epoch = $2";
          await run(release, [id, epoch]);
        });
        return closed;
      },
    };
  }

  async function write(id: string, epoch: unknown, records: JournalRecord[], at?: AppendPosition): Promise<void> {
    const { rowCount } = await run(
      `WITH mine AS (
         UPDATE agent_loop_sessions SET length = length + $3, until = :until, updated_at = :now
         WHERE id = $1 AND epoch = $2 AND length = coalesce($4, length)
         RETURNING length - $3 AS before
       ), kept AS (
         INSERT INTO agent_loop_records SELECT $1, before + n, record::json
         FROM mine, unnest($5::text[]) WITH ORDINALITY AS added (record, n)
       )
       SELECT 1 FROM mine`,
      [id, epoch, records.length, at?.after ?? null, records.map((record) => JSON.stringify(record))],
    );
    if (rowCount === 1) return;
    const { rows } = await run("SELECT length FROM agent_loop_sessions WHERE id = $1 AND epoch = $2", [id, epoch]);
    throw rows[0] ? replacedError(id, at?.after, Number(rows[0]["length"])) : replacedError(id);
  }

  async function jobsOf(id: string, most: unknown): Promise<unknown[]> {
    const text = "SELECT job FROM agent_loop_jobs WHERE session = $1 AND n <= $2 ORDER BY n";
    const { rows } = await run(text, [id, most]);
    return rows.map(({ job }) => job);
  }

  async function done(id: string, epoch: unknown, jobs: unknown): Promise<void> {
    const { rowCount } = await run(
      `WITH mine AS (
         UPDATE agent_loop_sessions SET due = CASE WHEN jobs = $3 THEN NULL ELSE due END
         WHERE id = $1 AND epoch = $2
         RETURNING id
       ), removed AS (
         DELETE FROM agent_loop_jobs USING mine WHERE session = mine.id AND n <= $3
       )
       SELECT 1 FROM mine`,
      [id, epoch, jobs],
    );
    if (rowCount !== 1) throw replacedError(id);
  }

  return {
    open: openSession,
    read: async (id) => recordsOf(id),
    fork: async (id, newId) => forkInto(await recordsOf(id), newId, openSession),

    async list() {
      const { rows } = await run(
        "SELECT id, updated_at FROM agent_loop_sessions WHERE length > 0 ORDER BY updated_at DESC, id",
        [],
      );
      return rows.map(({ id, updated_at }): SessionEntry => ({ id: String(id), updated_at: Number(updated_at) }));
    },

    async enqueue(id, job) {
      await run(
        `WITH waiting AS (
           INSERT INTO agent_loop_sessions AS s (id, jobs, due) VALUES ($1, 1, :now)
           ON CONFLICT (id) DO UPDATE SET jobs = s.jobs + 1, due = coalesce(s.due, :now)
           RETURNING jobs
         )
         INSERT INTO agent_loop_jobs SELECT $1, jobs, $2::json FROM waiting`,
        [keepable(id), JSON.stringify(job)],
      );
    },

    async take(): Promise<TakenSession | undefined> {
      const { rows } = await run(
        `WITH next AS MATERIALIZED (
           SELECT id FROM agent_loop_sessions
           WHERE due IS NOT NULL AND (until IS NULL OR until <= :now)
           ORDER BY due, id FOR UPDATE SKIP LOCKED LIMIT 1
         )
         UPDATE agent_loop_sessions s SET epoch = epoch + 1, holder = $1, until = :until, due = :now
         FROM next WHERE s.id = next.id
         RETURNING s.id, epoch, jobs`,
        [holder],
      );
      if (!rows[0]) return undefined;
      const { id, epoch, jobs } = rows[0];
      const session = opened(String(id), epoch);
      return { ...session, jobs: await jobsOf(session.id, jobs), done: () => done(session.id, epoch, jobs) };
    },
  };
}

/** Milliseconds since 1970, by the clock of the database: that of a machine may be wrong. */
const DATABASE_CLOCK = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/**
 * An id that the database keeps as it is.
 * @throws Error otherwise
 * @see JOURNAL-21
 */
function keepable(id: string): string {
  if (!wellFormed(id).includes("\0")) return id;
  throw new Error(
    `The id of a session ${JSON.stringify(id)} has a NUL character, which PostgreSQL cannot keep. Choose another id.`,
  );
}
