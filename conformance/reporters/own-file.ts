// Where a finding stands in a review: at a file of the reader. A case in a package that is installed is none.

import { existsSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";

/**
 * The file in which a driver or a program is written, of the words that start it: the first that names a file here, or the manifest of a
 * folder. Nothing if none does.
 */
export function ownFile(driver: string): string | undefined {
  // No path has a NUL, and a report may be of anybody.
  for (const word of driver.split(/[\s\0]+/)) {
    const found = statSync(word, { throwIfNoEntry: false });
    const manifest = join(word, "agent-loop.json");
    if (word === "" || isAbsolute(word) || !found) continue;
    if (found.isFile()) return join(word);
    if (existsSync(manifest)) return manifest;
  }
  return undefined;
}

/** Whether a path leads to what the reader has not written. */
export function isForeign(path: string): boolean {
  return isAbsolute(path) || /(^|[\\/])node_modules[\\/]/.test(path);
}
