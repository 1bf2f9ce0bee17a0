// Makes of a script of a peer one file that runs alone.

import { readFileSync } from "node:fs";

/** The text of a script with everything in it that it leans on. */
export function standalone(script: string): string {
  return readFileSync(script, "utf8");
}
