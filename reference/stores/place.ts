// Where a store of files is: makes the folder, and says what to do where nothing can be written.

import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a folder and those above it, for their owner only: one after another, because Node's own `recursive` tries for ever where a file
 * system takes no folders, as /proc.
 * @throws Error of the file system
 */
export async function makeFolder(folder: string): Promise<void> {
  if (await isThere(folder)) return;
  await makeFolder(dirname(folder));
  await mkdir(folder, { mode: 0o700 }).catch(unless("EEXIST")); // somebody else may have been faster
}

/** The error of a store that cannot write where it was made. */
export function unwritable(place: string, error: unknown): Error {
  return new Error(
    `No session can be kept in ${place}: ${(error as Error).message}; name a place that can be written`,
    {
      cause: error,
    },
  );
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(() => true, unless<boolean>("ENOENT", false));
}

function unless<Result = void>(code: string, otherwise?: Result): (error: NodeJS.ErrnoException) => Result {
  return (error) => {
    if (error.code === code) return otherwise as Result;
    throw error;
  };
}
