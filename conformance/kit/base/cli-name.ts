// How a person runs the kit's command: where the package is installed, in a checkout, and where only a packed file is.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "./package-root.ts";

/** What `package.json` says of the package. */
export interface Published {
  name: string;
  /** Whether the registry has the package: before that, its name there could be anybody's. */
  published: boolean;
}

/**
 * What stands before `test`, `explain`, … on a command line that can be copied. A person who had `npx` take a packed file has the command
 * nowhere else, so that the file is named again until the registry has the package.
 * @param taken what `npx` was asked to take; absent if nothing
 */
export function commandOf({ name, published }: Published, taken = name): string {
  return published || taken === name ? `npx ${name}` : `npx --package ${quoted(taken)} ${name}`;
}

/** The command as it is run here. */
export const commandLine = commandOf(readJson<Published>(join(packageRoot(), "package.json")), takenByNpx());

/** Where `npx` keeps what it takes, the `package.json` above the packages says what that was. */
function takenByNpx(): string | undefined {
  const above = join(packageRoot(), "../../package.json");
  return existsSync(above) ? readJson<{ _npx?: { packages?: string[] } }>(above)._npx?.packages?.[0] : undefined;
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, "utf8")) as T;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
