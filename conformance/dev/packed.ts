// The commands that look at a packed file as those who install it will.

import { join } from "node:path";
import { root } from "./schema-files.ts";

/** A program and its arguments; each ends with 0 if it finds nothing wrong. */
export type PackedCheck = [command: string, args: string[]];

/** publint reads what `package.json` promises, attw resolves its types as each kind of importer does. */
export function checkPacked(file: string): PackedCheck[] {
  const bin = join(root, "node_modules/.bin");
  return [
    [join(bin, "publint"), ["run", file, "--strict"]],
    // The package is ESM alone, and Node says so to an importer of CommonJS.
    [join(bin, "attw"), [file, "--profile", "esm-only", "--quiet"]],
  ];
}
