// Writes a file completely or not at all, so that no reader ever sees half of a report.

import { lstatSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeFolder } from "../../kit/base/make-folder.ts";
import { UsageError } from "../../kit/base/usage-error.ts";

/**
 * Makes room for a file that is to be written later, as `checkWritable` does, and takes away the file of an earlier run, which would
 * otherwise pass for that of this one if it is killed.
 * @throws UsageError if it cannot be a file
 */
export function prepareFile(path: string): void {
  checkWritable(path);
  explain(path, () => {
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile()) rmSync(path);
  });
}

/**
 * Makes the folder of a file that is to be written later, and tries to write there, so that a mistake is reported before the work,
 * not after it. A file that is there stays as it is.
 * @throws UsageError if it cannot be a file
 */
export function checkWritable(path: string): void {
  explain(path, () => {
    const kind = kindOf(path);
    if (kind === "folder") throw new Error("it is a folder");
    makeFolder(dirname(path));
    if (kind === "none") tryFolder(dirname(path));
  });
}

/**
 * Makes a folder whose files are to be written later, and tries to write there.
 * @param option which names it, such as `--keep`
 * @throws UsageError if nothing can be written into it
 */
export function prepareFolder(option: string, path: string): void {
  try {
    makeFolder(path);
    tryFolder(path);
  } catch (error) {
    throw new UsageError(
      `${option} ${path}: nothing can be written there; name another folder (${(error as Error).message})`,
    );
  }
}

/** Permissions do not tell whether a file can be written: not who is root, and not a file system that takes none. */
function tryFolder(folder: string): void {
  const tried = join(folder, `.${process.pid}.unfinished`);
  writeFileSync(tried, "");
  rmSync(tried);
}

/** Who may read what holds a conversation: its owner. */
export const ownerOnly = 0o600;

/** @throws UsageError if there is such a file, and nobody asked for another one in its place; or there can be none */
export function refuseToOverwrite(path: string, { overwrite = false }: { overwrite?: boolean | undefined }): void {
  if (overwrite || explain(path, () => lstatSync(path, { throwIfNoEntry: false })) === undefined) return;
  throw new UsageError(`${path} exists; name another file with --out, or replace it with --overwrite`);
}

/**
 * Writes a file; what was there before stays until all of the new one is there. A link stays a link, and a pipe a pipe.
 * @param mode who may read it, as `open` takes it
 * @throws UsageError if it cannot be written
 * @see REPORT-6
 */
export function writeWhole(path: string, text: string, mode = 0o666): void {
  explain(path, () => {
    makeFolder(dirname(path));
    const kind = kindOf(path);
    if (kind === "other") return writeFileSync(path, text);
    const target = kind === "file" ? realpathSync(path) : path;
    const unfinished = join(dirname(target), `.${basename(target)}.${process.pid}.unfinished`);
    try {
      writeFileSync(unfinished, text, { mode });
      renameSync(unfinished, target);
    } finally {
      rmSync(unfinished, { force: true });
    }
  });
}

function kindOf(path: string): "none" | "file" | "folder" | "other" {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return "none";
  return found.isFile() ? "file" : found.isDirectory() ? "folder" : "other";
}

function explain<Result>(path: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    throw new UsageError(`${path} cannot be written: ${(error as Error).message}; name another file`);
  }
}
