// Freezes the core as a version of the spec: npm run freeze -- 1.0

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCatalogue } from "../kit/suite/catalogue.ts";
import { root } from "./schema-files.ts";
import { frozen } from "./stable-sentences.ts";

/**
 * Writes `spec/stable/<version>.json`.
 * @throws Error for what is no version, and for one that is frozen already
 */
export function freeze(version: string | undefined, folder = join(root, "spec/stable")): string {
  if (version === undefined || !/^\d+\.\d+$/.test(version))
    throw new Error(`freeze takes a version such as 1.0, not ${version ?? "nothing"}`);
  const path = join(folder, `${version}.json`);
  if (existsSync(path)) throw new Error(`${path} exists: ${version} is frozen, and a frozen version does not change`);
  const { sentences } = frozen(version, readCatalogue(root).requirements.values());
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, `${JSON.stringify({ version, sentences }, null, 2)}\n`);
  return `froze ${Object.keys(sentences).length} sentences in ${path}`;
}

if (import.meta.main) {
  try {
    console.log(freeze(process.argv[2]));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 2;
  }
}
