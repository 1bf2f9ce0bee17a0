// Takes a file for one writer at a time, among processes that may die without giving it back.

import { randomUUID } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import { describe, mayBeAlive, thisProcess, type ProcessMark } from "./process-mark.ts";

/**
 * Takes `path`, until the function that comes back is called. Says who has it if somebody has.
 *
 * Every claim is a file of its own, made before the others are looked at: of two that come at once at most one stays, and a claim
 * of a dead process can be removed by anybody, because nobody makes it again.
 */
export async function claim(path: string): Promise<{ free: () => Promise<void> } | { heldBy: string }> {
  const name = `${basename(path)}.${randomUUID()}.lock`;
  const mine = join(dirname(path), name);
  await writeFile(mine, JSON.stringify(thisProcess()), { flag: "wx" });
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

/** Who holds the claim; undefined if nobody does any more, and then it is removed. */
async function holderOf(file: string): Promise<string | undefined> {
  let written: string;
  try {
    written = await readFile(file, "utf8");
  } catch {
    return undefined; // given back just now
  }
  const mark = parsed(written);
  // Half a claim is being made just now, or its maker died; who holds it, nobody can say.
  if (!mark) return `somebody who did not write down who; remove ${file} if that was a process that died`;
  if (mayBeAlive(mark)) return `${describe(mark)}, by ${file}`;
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
