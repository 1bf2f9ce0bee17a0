// Makes a folder and those above it, and always comes to an end.

import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * One folder after another: where a file system takes no folders, as /proc, Node's own `recursive` tries for ever.
 * @param mode who may read what is new
 * @throws Error of the file system
 */
export function makeFolder(folder: string, mode = 0o777): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Somebody else may have been faster.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
