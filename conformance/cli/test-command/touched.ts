// Maps changed files to what has to be rerun: a case, the cases of a fixture, or everything.

import { existsSync, statSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import type { NamedDriver, Suite } from "../../kit/index.ts";
import { caseId } from "../../kit/suite/suite.ts";

/** The folders of which changes count. */
export interface WatchedFolders {
  cases: string;
  fixtures: string;
  /** Those of the drivers. */
  drivers: string[];
  /** Files that are written with each run, such as reports; absolute. */
  written: string[];
}

/** What has to be run again: everything, or the cases with these ids. */
export type Touched = "everything" | string[];

/** Left behind by builds and runs of a driver, and by editors while a file is open. */
const made =
  /(^|\/)((node_modules|__pycache__|\.git|\.cache|dist|target)(\/|$)|agent-loop-progress\.json$|[^/]*(\.unfinished|~|\.sw[a-z])$|\.#|4913$)/;

/** Whether this is generated: a file or a folder, named from the folder of its driver. */
export function isMade(path: string): boolean {
  return made.test(path);
}

/**
 * What these changes touch. Empty: nothing that matters.
 * @param files absolute
 */
export function touchedBy(files: readonly string[], folders: WatchedFolders, suite: Suite): Touched {
  const isOfDriver = (file: string) =>
    !folders.written.includes(file) &&
    folders.drivers.some((folder) => isIn(folder, file) && !isMade(below(folder, file)));
  if (files.some((file) => !isIn(folders.cases, file) && !isIn(folders.fixtures, file) && isOfDriver(file)))
    return "everything";
  const ids = files.flatMap((file) => {
    if (isIn(folders.cases, file)) return file.endsWith(".yaml") ? [caseId(folders.cases, file)] : [];
    if (isIn(folders.fixtures, file)) return casesOf(below(folders.fixtures, file).replace(/\.json$/, ""), suite);
    return [];
  });
  return [...new Set(ids)];
}

/** The folders of a driver: that of its agent-loop.json, or those of the files and folders that its command names. */
export function foldersOf({ command, manifestFile }: NamedDriver): string[] {
  if (manifestFile !== undefined) return [dirname(resolve(manifestFile))];
  const { argv, cwd = process.cwd() } = command;
  const named = argv.slice(1).map((word) => resolve(cwd, word));
  const folders = named.flatMap((path) =>
    existsSync(path) ? [statSync(path).isDirectory() ? path : dirname(path)] : [],
  );
  return folders.length > 0 ? [...new Set(folders)] : [cwd];
}

/** The cases whose script names a fixture. */
function casesOf(fixture: string, { cases }: Suite): string[] {
  const names = cases.filter(({ case: { model } }) => model.some(({ raw }) => raw?.split("#")[0] === fixture));
  return names.map(({ id }) => id);
}

function isIn(folder: string, file: string): boolean {
  return file.startsWith(folder + sep);
}

function below(folder: string, file: string): string {
  return relative(folder, file).split(sep).join("/");
}
