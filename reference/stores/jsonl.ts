// A session store with one JSON Lines file per session, readable with any tool.

import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";

import type { JournalRecord } from "../../schemas/types.ts";
import { claim } from "./claim.ts";
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

/**
 * A store of sessions in a folder, which is created if missing. Lock files beside the sessions admit one writer at a time, so
 * the folder must be on a local disk. When `append` resolves, a record is on disk, not only in a cache. New files and folders are
 * for their owner only, and links are not followed.
 * @see JOURNAL-16 JOURNAL-17 JOURNAL-18 JOURNAL-21 JOURNAL-22 JOURNAL-23
 */
export function jsonlStore(folder: string): SessionStore {
  const fileOf = (id: string) => join(folder, fileNameOf(id));

  async function openSession(id: string): Promise<OpenSession> {
    const file = fileOf(id);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const claimed = await claim(file);
    if ("heldBy" in claimed) throw new SessionInUseError(id, claimed.heldBy);
    let handle: FileHandle | undefined;
    try {
      handle = await openNoLink(file, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
      const { whole, torn } = parse(file, await handle.readFile());
      if (torn !== undefined) await handle.truncate(whole);
      return opened(id, file, handle, torn, claimed.free);
    } catch (error) {
      await handle?.close();
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
      const entries = await Promise.all(
        names.map(async (name): Promise<SessionEntry[]> => {
          const id = idOf(name);
          if (id === undefined) return [];
          const found = await lstat(join(folder, name));
          return found.isFile() && found.size > 0 ? [{ id, updated_at: found.mtimeMs }] : [];
        }),
      );
      return entries.flat().sort((one, other) => other.updated_at - one.updated_at);
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
  const handle = await openNoLink(file, constants.O_RDONLY).catch(emptyWhereMissing(undefined));
  if (handle === undefined) return Buffer.alloc(0);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Opens a file for its owner only. A link may have been put there by somebody who wants another file to be written. */
async function openNoLink(file: string, flags: number): Promise<FileHandle> {
  try {
    return await open(file, flags | (constants.O_NOFOLLOW ?? 0), 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ELOOP") throw error;
    throw new Error(
      `${file} is a link, and a session is a file of its own. Take the link away, or choose another id.`,
      { cause: error },
    );
  }
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

const ending = ".jsonl";

/** The longest name of a file that every file system takes, without what a lock file adds to it. */
const longestName = 255 - ".00000000-0000-4000-8000-000000000000.lock".length;

/**
 * A file name that is valid on every file system, and unique for each id.
 * @throws Error for an id that has none
 */
function fileNameOf(id: string): string {
  const name = `${encoded(wellFormed(id))}${ending}`;
  if (name.length <= longestName) return name;
  throw new Error(
    `The id of a session is too long for the name of a file: ${name.length} bytes, at most ${longestName} are possible. Choose a shorter one; each byte of other letters than a-z counts three.`,
  );
}

/** The id that a file is named after; undefined for a file of somebody else. */
function idOf(name: string): string | undefined {
  if (!name.endsWith(ending)) return undefined;
  try {
    const id = decodeURIComponent(name.slice(0, -ending.length));
    return `${encoded(id)}${ending}` === name ? id : undefined;
  } catch {
    return undefined;
  }
}

function encoded(id: string): string {
  return [...Buffer.from(id, "utf8")]
    .map((byte) => {
      const char = String.fromCharCode(byte);
      return /[a-z0-9_-]/.test(char) ? char : `%${byte.toString(16).padStart(2, "0")}`;
    })
    .join("");
}
