// Formats a path for people, relative to the current folder if possible, so that they can open it.

import { isAbsolute, relative } from "node:path";

/** The path from the current folder if it is below it, else the whole path. */
export function shownPath(path: string): string {
  const below = relative(process.cwd(), path);
  return isAbsolute(below) || /^\.\.([\\/]|$)/.test(below) ? path : below || ".";
}
