// The command `export`: writes the suite and vectors for pure functions as JSON, for test runners of other languages.

import { existsSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { loadSuite } from "../kit/index.ts";
import { exportManifest, exportedFiles } from "../kit/vectors/exported-files.ts";
import { writeWhole } from "./shared/write-file.ts";
import { UsageError } from "../kit/base/usage-error.ts";

const manifestName = "manifest.json";
/** The folders of an export. What an earlier one had in them, a later one may not have. */
const ownFolders = ["fixtures", "schemas", "vectors"];

/**
 * Writes everything into a folder that is new, empty or an earlier export.
 * @throws UsageError if the folder is none of these, or cannot be written
 */
export async function exportSuite({ out, suite: version }: { out: string; suite?: string }): Promise<void> {
  const suite = await loadSuite(version === undefined ? {} : { version });
  const files = await exportedFiles(suite);
  clear(out);
  for (const { path, text } of files) writeWhole(join(out, path), text);
  // The last of all: a folder that has it is whole.
  writeWhole(join(out, manifestName), exportManifest(files, suite));
  const count = files.reduce((sum, { count: entries = 0 }) => sum + entries, 0);
  console.log(`${count} entries in ${files.length + 1} files: ${out}`);
}

/** Makes room for an export, and takes away nothing but an earlier one. */
function clear(out: string): void {
  if (out === "") throw new UsageError("--out names no folder; give the name of a new one");
  if (!existsSync(out)) return;
  if (!statSync(out).isDirectory()) throw new UsageError(`${out} is not a folder; name a new one`);
  if (readdirSync(out).length === 0) return;
  if (!isExport(join(out, manifestName)))
    throw new UsageError(`${out} is not empty, and is no earlier export; name a new folder, or empty this one`);
  for (const own of [manifestName, ...ownFolders]) rmSync(join(out, own), { recursive: true, force: true });
}

function isExport(manifest: string): boolean {
  try {
    return (JSON.parse(readFileSync(manifest, "utf8")) as { export?: unknown }).export === 1;
  } catch {
    return false;
  }
}
