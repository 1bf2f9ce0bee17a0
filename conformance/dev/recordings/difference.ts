// What a check found that is not as expected, and the list of those that are known.

import { readFileSync } from "node:fs";
import { matchesGlob } from "node:path";
import { parse } from "yaml";

/** Where the adapter, or the loop, and the recording do not say the same. */
export interface Difference {
  file: string;
  /** Which exchange, counted from 1. */
  exchange: number;
  /** What kind of thing differs, for example `request/thinking`. */
  kind: string;
  /** What was expected and what came, short. */
  detail: string;
}

/** A difference that is the doing of the client that was recorded, or of the SDK that is compared with. */
export interface Listed {
  file: string;
  kind: string;
  reason: string;
}

/** Reads the list of known differences. */
export function readListed(path: string): Listed[] {
  return parse(readFileSync(path, "utf8")) as Listed[];
}

/**
 * Splits differences into known ones, with the entry that knows them, and new ones; and finds entries that know nothing. Those
 * of them that are about none of the files belong to another folder.
 */
export function sortDifferences(differences: Difference[], listed: Listed[], files: string[]) {
  const used = new Map<Listed, Difference[]>(listed.map((entry) => [entry, []]));
  const unlisted: Difference[] = [];
  for (const difference of differences) {
    const entry = listed.find(({ file, kind }) => matchesGlob(difference.file, file) && kind === difference.kind);
    if (entry) used.get(entry)?.push(difference);
    else unlisted.push(difference);
  }
  const unused = listed.filter((entry) => used.get(entry)?.length === 0);
  const isHere = ({ file }: Listed) => files.some((one) => matchesGlob(one, file));
  const foreign = unused.filter((entry) => !isHere(entry));
  return { unlisted, stale: unused.filter(isHere), foreign, listed: [...used].filter(([entry]) => isHere(entry)) };
}

/** JSON with sorted keys, so that equal values have equal texts. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Two values around the place where they begin to differ. */
export function contrast(expected: unknown, received: unknown): string {
  const [a, b] = [canonical(expected) ?? "nothing", canonical(received) ?? "nothing"];
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const from = Math.max(0, at - 60);
  return `expected …${a.slice(from, at + 160)}\n        received …${b.slice(from, at + 160)}`;
}
