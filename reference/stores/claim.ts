// A file lock: one writer at a time, among processes that may die without releasing it.

import { randomUUID } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import { describe, mayBeAlive, thisProcess, type ProcessMark } from "./process-mark.ts";

/**
 * Locks `path` until `free` is called, or returns a description of the current holder.
 *
 * Every claim is a file with a unique name, created before the others are read: of two concurrent claims at most one succeeds, and
 * the claim of a dead process can be removed by anyone, because its name is never reused.
 */
export async function claim(path: string): Promise<{ free: () => Promise<void> } | { heldBy: string }> {
  const name = `${basename(path)}.${randomUUID()}.lock`;
  const mine = join(dirname(path), name);
  await writeFile(mine, JSON.stringify(thisProcess()), { flag: "wx", mode: 0o600 });
  const free = () => rm(mine, { force: true });
  try {
    const others = (await readdir(dirname(path))).filter((one) => isClaimOf(path, one) && one !== name);
    for (const other of others) {
      const heldBy = await holderOf(join(dirname(path), other));
      if (heldBy === undefined) continue;
      await free();
      return { heldBy };
    }
  } catch (error) {
    await free();
    throw error;
  }
  return { free };
}

function isClaimOf(path: string, name: string): boolean {
  const start = `${basename(path)}.`;
  return name.startsWith(start) && /^[0-9a-f-]{36}\.lock$/.test(name.slice(start.length));
}

/** The holder of a claim; undefined, after removing the file, if it is stale. */
async function holderOf(file: string): Promise<string | undefined> {
  let written: string;
  try {
    written = await readFile(file, "utf8");
  } catch {
    return undefined; // just released
  }
  const mark = parsed(written);
  // A partial claim is still being written, or its writer died: the holder is unknown.
  if (!mark) return `an unknown process; remove ${file} if that process has died`;
  if (mayBeAlive(mark)) return `${describe(mark)}, lock file ${file}`;
  await rm(file, { force: true });
  return undefined;
}

function parsed(written: string): ProcessMark | undefined {
  try {
    return JSON.parse(written) as ProcessMark;
  } catch {
    return undefined;
  }
}
