// The faults that a quiz can plant: those of the kill matrix, as conformance/mutants describes them.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { packagePath } from "../../kit/base/package-root.ts";

/** A small fault of the reference, and the requirement that it breaks. */
export interface Fault {
  /** In words, so that it gives the answer away: a puzzle has the code instead. */
  id: string;
  requirement: string;
  /** What a user would see. */
  seen: string;
  /** From the root of the project. */
  file: string;
  /** Stands in the file exactly once. */
  replace: string;
  by: string;
}

let read: Fault[] | undefined;

/** Every fault, in the order of the files. */
export function readFaults(): readonly Fault[] {
  read ??= readFiles();
  return read;
}

function readFiles(): Fault[] {
  const folder = packagePath("conformance", "mutants");
  const names = readdirSync(folder).filter(
    (name) => name.endsWith(".yaml") && !/^(none|idle|outliers)\.yaml$/.test(name),
  );
  return names.sort().flatMap((name) => parse(readFileSync(join(folder, name), "utf8")) as Fault[]);
}

/** The code name of a fault, where its id would give the answer away. */
export function codeOf({ id }: Fault): string {
  return hashOf(id).slice(0, 6);
}

/** Changes with the fault: what was seen of another one says nothing about it. */
export function fingerprintOf({ requirement, file, replace, by }: Fault): string {
  return hashOf(requirement, file, replace, by).slice(0, 12);
}

function hashOf(...parts: string[]): string {
  return createHash("sha256").update(parts.join("\0")).digest("hex");
}
