// A file lock with an end: one writer at a time, among processes that may die, or stand still, without releasing it.

import { randomUUID } from "node:crypto";
import { access, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import type { Lease } from "./lease.ts";
import { describe, mayBeAlive, thisProcess, type ProcessMark } from "./process-mark.ts";

/** A lock that is held until `free` is called, or its lease ends without being renewed and somebody else claims the file. */
export interface Claim {
  /** The last holder did not release the file. It may still be alive, and write to what it has open. */
  readonly isInherited: boolean;
  /** Whether nobody else has claimed the file since. */
  isHeld(): Promise<boolean>;
  renew(): Promise<void>;
  /** Ends the claim, and leaves no trace of it. */
  free(): Promise<void>;
  /** Ends the claim as if its holder had died: the next one inherits what this one has. */
  abandon(): Promise<void>;
}

/**
 * Claims `path`, or returns a description of the current holder.
 *
 * Every claim is a file with a unique name, which appears whole, by a rename, before the others are read: of two concurrent claims at
 * most one succeeds, and a claim that is over can be removed by anyone, because its name is never reused. The time of the file is the
 * end of its lease: to renew it, its holder needs the file, so that a claim that was removed cannot come back.
 */
export async function claim(path: string, { ms, now }: Lease): Promise<Claim | { heldBy: string }> {
  const name = `${basename(path)}.${randomUUID()}.lock`;
  const mine = join(dirname(path), name);
  const until = () => new Date(now() + ms);
  const free = () => rm(mine, { force: true });
  await writeWhole(mine, JSON.stringify(thisProcess()), until());
  try {
    const others = (await readdir(dirname(path))).filter((one) => isClaimOf(path, one) && one !== name);
    const files = others.map((other) => join(dirname(path), other));
    for (const file of files) {
      const heldBy = await holderOf(file, now());
      if (heldBy === undefined) continue;
      await free();
      return { heldBy };
    }
    const left = await Promise.all(files.map(removed));
    return {
      isInherited: left.some(Boolean),
      isHeld: () => exists(mine),
      renew: async () => utimes(mine, until(), until()),
      free,
      abandon: () => utimes(mine, new Date(0), new Date(0)),
    };
  } catch (error) {
    await free();
    throw error;
  }
}

/** Nobody ever sees the file without its content or its time. */
async function writeWhole(file: string, content: string, time: Date): Promise<void> {
  const unfinished = file.replace(/lock$/, "new");
  try {
    await writeFile(unfinished, content, { flag: "wx", mode: 0o600 });
    await utimes(unfinished, time, time);
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

function isClaimOf(path: string, name: string): boolean {
  const start = `${basename(path)}.`;
  return name.startsWith(start) && /^[0-9a-f-]{36}\.lock$/.test(name.slice(start.length));
}

/** The holder of a claim; undefined if its lease is over, or its process is certainly gone. */
async function holderOf(file: string, now: number): Promise<string | undefined> {
  try {
    const { mtimeMs } = await stat(file);
    if (mtimeMs <= now) return undefined;
    const mark = parsed(await readFile(file, "utf8"));
    if (mark && !mayBeAlive(mark)) return undefined;
    return `${mark ? describe(mark) : "an unknown process"}, lock file ${file}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined; // just released
    throw error;
  }
}

function parsed(written: string): ProcessMark | undefined {
  try {
    return JSON.parse(written) as ProcessMark;
  } catch {
    return undefined;
  }
}

/** Removes a file. @returns whether it was there */
async function removed(file: string): Promise<boolean> {
  const wasThere = await exists(file);
  await rm(file, { force: true });
  return wasThere;
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw error;
    },
  );
}
