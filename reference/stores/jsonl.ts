// A session store with one JSON Lines file per session, readable with any tool.

import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readdir, rename, rm, type FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import type { AppendPosition } from "../state/journal-records.ts";
import type { JournalRecord } from "../../schemas/types.ts";
import { claim, type Claim } from "./claim.ts";
import { inTurn } from "./in-turn.ts";
import { makeFolder, unwritable } from "./place.ts";
import { heartbeat, leaseOf, type LeaseOptions } from "./lease.ts";
import {
  closedError,
  forkInto,
  replacedError,
  sessionIn,
  SessionInUseError,
  wellFormed,
  type OpenSession,
  type SessionEntry,
  type SessionStore,
} from "./session-store.ts";

export { SessionInUseError, type OpenSession, type SessionEntry, type SessionStore } from "./session-store.ts";
export type { LeaseOptions } from "./lease.ts";

/**
 * A store of sessions in a folder, which is created if missing. Lock files beside the sessions admit one writer at a time. When
 * `append` resolves, a record is on disk, not only in a cache. New files and folders are for their owner only, and links are not
 * followed.
 *
 * It is made for one machine: a session whose process has died is open to others at once, and one whose process stands still when its
 * lease has ended. In a folder that containers share, where nobody can look for the process, it is always when the lease has ended. It
 * has no queue, and a folder of a network file system, which shows one process what another has done only later, is no place for it:
 * use `sqliteStore` for workers on one machine, and `postgresStore` on many.
 * @see JOURNAL-16 JOURNAL-17 JOURNAL-18 JOURNAL-21 JOURNAL-22 JOURNAL-23 JOURNAL-27 JOURNAL-28 JOURNAL-29
 */
export function jsonlStore(folder: string, options: LeaseOptions = {}): SessionStore {
  const lease = leaseOf(options);
  const fileOf = (id: string) => join(folder, fileNameOf(id));

  async function openSession(id: string): Promise<OpenSession> {
    const file = fileOf(id);
    const claimed = await claimIn(folder, file);
    if ("heldBy" in claimed) throw new SessionInUseError(id, claimed.heldBy);
    let handle: FileHandle | undefined;
    try {
      if (claimed.isInherited) await removeCopies(file);
      const content = await contentOf(file);
      const { records, whole, torn } = parse(file, content);
      if (claimed.isInherited) await moveAway(file, content.subarray(0, whole), claimed);
      handle = await openNoLink(file, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
      if (torn !== undefined) await handle.truncate(whole);
      return opened(id, file, handle, { torn, length: records.length, claimed, leaseMs: lease.ms });
    } catch (error) {
      await handle?.close();
      await (claimed.isInherited ? claimed.abandon() : claimed.free());
      throw error;
    }
  }

  async function claimIn(place: string, file: string) {
    try {
      await makeFolder(place);
      return await claim(file, lease);
    } catch (error) {
      throw unwritable(place, error);
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

    fork: async (id, newId) => forkInto(await read(id), newId, openSession),
  };
}

/**
 * Puts a copy in the place of a file that its last writer may still have open: what that one writes from now on, it writes to a file
 * that has no name any more. What it has acknowledged is in the copy, which is read after its claim was removed.
 *
 * A process that stands still between these lines puts no outdated copy there: either it finds its claim removed, or its copy, which
 * the next process removes once it has removed the claim.
 */
async function moveAway(file: string, content: Buffer, claimed: Claim): Promise<void> {
  const copy = file.replace(/jsonl$/, `${randomUUID()}.new`);
  const handle = await openNoLink(copy, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL);
  try {
    await handle.writeFile(content).finally(() => handle.close());
    if (!(await claimed.isHeld())) throw new Error(`${file} was claimed by another process. Open the session again.`);
    await rename(copy, file);
  } catch (error) {
    await rm(copy, { force: true });
    throw error;
  }
}

/** Removes the copies of those that have not finished taking over a session. */
async function removeCopies(file: string): Promise<void> {
  const start = basename(file).replace(/jsonl$/, "");
  const isCopy = (name: string) => name.startsWith(start) && /^[0-9a-f-]{36}\.new$/.test(name.slice(start.length));
  const copies = (await readdir(dirname(file))).filter(isCopy);
  await Promise.all(copies.map((name) => rm(join(dirname(file), name), { force: true })));
}

/** What there was when the session was opened. */
interface Opening {
  torn: string | undefined;
  length: number;
  claimed: Claim;
  leaseMs: number;
}

function opened(id: string, file: string, handle: FileHandle, opening: Opening): OpenSession {
  const { torn, claimed, leaseMs } = opening;
  const one = inTurn();
  const stop = heartbeat(leaseMs, claimed.renew);
  let { length } = opening;
  let broken: Error | undefined;
  let isNew = true; // possibly: then its name is not on disk yet
  let closed: Promise<void> | undefined;

  async function write(records: JournalRecord[], { after = length }: Partial<AppendPosition> = {}): Promise<void> {
    if (broken) throw broken;
    if (after !== length) throw replacedError(id, after, length);
    // If this fails, the file may end in a partial line, to which the next record would be appended.
    broken = new Error(`An earlier write to the session ${id} failed. Open it again to continue.`);
    await handle.appendFile(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    await handle.datasync();
    if (isNew) await syncFolder(dirname(file));
    isNew = false;
    // Only now: the next writer has made its claim before it reads the file, so what is written without that claim is read by it.
    if (!(await claimed.isHeld())) throw (broken = replacedError(id));
    broken = undefined;
    length += records.length;
  }

  const read = async () => parse(file, await contentOf(file)).records;

  return {
    id,
    torn,
    read,
    session: async () => sessionIn(await read(), id),
    append: async (records, at) => {
      if (closed) throw closedError(id);
      return one(() => write(records, at));
    },
    close() {
      stop();
      closed ??= one(() => handle.close()).then(claimed.free);
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
