// Says how people are told where a file is, so that they can open it from where they are.

import { isAbsolute, relative } from "node:path";

/** The path from the current folder if it is below it, else the whole path. */
export function shownPath(path: string): string {
  const below = relative(process.cwd(), path);
  return isAbsolute(below) || /^\.\.([\\/]|$)/.test(below) ? path : below || ".";
}
