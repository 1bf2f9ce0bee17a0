// Finds the folder of the package, because schemas, spec data and cases lie beside the code, not in it.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

let found: string | undefined;

/**
 * The folder that holds the package's package.json, schemas/, spec/ and conformance/cases/. The same from the sources
 * (conformance/kit) as from the build (dist/conformance/kit). No trailing slash.
 * @throws Error if no folder above this file is the package, that is, if the file was copied out of it.
 */
export function packageRoot(): string {
  found ??= search(dirname(fileURLToPath(import.meta.url)));
  return found;
}

/** The path of a file of the package, for example `packagePath("spec", "requirements.json")`. */
export function packagePath(...parts: string[]): string {
  return join(packageRoot(), ...parts);
}

function search(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).name === "agent-loop-spec") return folder;
    if (folder === dirname(folder)) {
      throw new Error(`No package.json of agent-loop-spec in ${start} or above it. Install the package as a whole.`);
    }
  }
}
