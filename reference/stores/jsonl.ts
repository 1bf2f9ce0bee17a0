// A session store with one JSON Lines file per session, readable with any tool.

import { mkdir, open, readFile, readdir, stat, truncate, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";

import type { JournalRecord } from "../../schemas/types.ts";
import { claim } from "./claim.ts";
import {
  forked,
  sessionIn,
  SessionInUseError,
  type OpenSession,
  type SessionEntry,
  type SessionStore,
} from "./session-store.ts";

export { SessionInUseError, type OpenSession, type SessionEntry, type SessionStore } from "./session-store.ts";

/**
 * A store of sessions in a folder, which is created if missing. Lock files beside the sessions admit one writer at a time, so
 * the folder must be on a local disk. When `append` resolves, a record is on disk, not only in a cache.
 * @see JOURNAL-16 JOURNAL-17 JOURNAL-18
 */
export function jsonlStore(folder: string): SessionStore {
  const fileOf = (id: string) => join(folder, `${encoded(id)}.jsonl`);

  async function openSession(id: string): Promise<OpenSession> {
    await mkdir(folder, { recursive: true });
    const file = fileOf(id);
    const claimed = await claim(file);
    if ("heldBy" in claimed) throw new SessionInUseError(id, claimed.heldBy);
    try {
      const { whole, torn } = parse(file, await contentOf(file));
      if (torn !== undefined) await truncate(file, whole);
      return opened(id, file, await open(file, "a"), torn, claimed.free);
    } catch (error) {
      await claimed.free();
      throw error;
    }
  }

  async function read(id: string): Promise<JournalRecord[]> {
    const file = fileOf(id);
    return parse(file, await contentOf(file)).records;
  }

  return {
    open: openSession,
    read,

    async list() {
      const names = await readdir(folder).catch(emptyWhereMissing<string[]>([]));
      const sessions = names.filter((name) => name.endsWith(".jsonl"));
      const entries = await Promise.all(
        sessions.map(async (name): Promise<SessionEntry & { size: number }> => {
          const { mtimeMs, size } = await stat(join(folder, name));
          return { id: decodeURIComponent(name.slice(0, -".jsonl".length)), updated_at: mtimeMs, size };
        }),
      );
      const written = entries.filter(({ size }) => size > 0).map(({ id, updated_at }) => ({ id, updated_at }));
      return written.sort((one, other) => other.updated_at - one.updated_at);
    },

    async fork(id, newId) {
      const record = forked(await read(id), newId);
      const target = await openSession(newId);
      try {
        if ((await target.read()).length > 0)
          throw new Error(`The session ${newId} already exists. Choose another id.`);
        await target.append([record]);
      } finally {
        await target.close();
      }
    },
  };
}

function opened(
  id: string,
  file: string,
  handle: FileHandle,
  torn: string | undefined,
  free: () => Promise<void>,
): OpenSession {
  let broken = false;
  let isNew = true; // possibly: then its name is not on disk yet
  let last: Promise<void> = Promise.resolve();
  let closed: Promise<void> | undefined;

  async function write(records: JournalRecord[]): Promise<void> {
    if (closed) throw new Error(`The session ${id} is closed. Open it again to write to it.`);
    if (broken) throw new Error(`An earlier write to the session ${id} failed. Open it again to continue.`);
    try {
      await handle.appendFile(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
      await handle.datasync();
      if (isNew) await syncFolder(dirname(file));
      isNew = false;
    } catch (error) {
      broken = true; // the file may end in a partial line, to which the next record would be appended
      throw error;
    }
  }

  const read = async () => parse(file, await contentOf(file)).records;

  return {
    id,
    torn,
    read,
    session: async () => sessionIn(await read(), id),
    append(records) {
      const done = last.then(() => write(records));
      last = done.catch(() => {});
      return done;
    },
    close() {
      closed ??= last.then(() => handle.close()).then(free);
      return closed;
    },
  };
}

/** A new name is on disk only once its folder is synced. Where folders cannot be opened, the system does that itself. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

async function contentOf(file: string): Promise<Buffer> {
  return readFile(file).catch(emptyWhereMissing(Buffer.alloc(0)));
}

function emptyWhereMissing<T>(empty: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === "ENOENT") return empty;
    throw error;
  };
}

/**
 * The records of a file, and the partial record at its end, which a dying process left.
 * @throws Error if any line but the last is invalid
 */
function parse(file: string, content: Buffer): { records: JournalRecord[]; whole: number; torn: string | undefined } {
  const records: JournalRecord[] = [];
  let whole = 0;
  for (let end = content.indexOf("\n"); end >= 0; end = content.indexOf("\n", whole)) {
    const line = content.toString("utf8", whole, end);
    const record = parsed(line);
    const isLast = end === content.length - 1;
    if (!record && !isLast)
      throw new Error(
        `Line ${records.length + 1} of ${file} is not a record, and it is not the last: the file is damaged.`,
      );
    if (!record) break;
    records.push(record);
    whole = end + 1;
  }
  const rest = content.toString("utf8", whole);
  return { records, whole, torn: rest === "" ? undefined : rest };
}

function parsed(line: string): JournalRecord | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as JournalRecord) : undefined;
  } catch {
    return undefined;
  }
}

/** A file name that is valid on every file system, and unique for each id. */
function encoded(id: string): string {
  return [...Buffer.from(id, "utf8")]
    .map((byte) => {
      const char = String.fromCharCode(byte);
      return /[a-z0-9_-]/.test(char) ? char : `%${byte.toString(16).padStart(2, "0")}`;
    })
    .join("");
}
