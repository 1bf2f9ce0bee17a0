// The command `migrate`: rewrites a list of known failures that names checks as one that names requirements.

import { readFileSync } from "node:fs";
import { loadSuite } from "../kit/index.ts";
import { counted } from "../kit/base/plural.ts";
import { commandLine } from "../kit/base/cli-name.ts";
import { readKnownFailures } from "../kit/run/known-failures-file.ts";
import { migratedKnownFailures } from "../kit/run/known-failures-migrate.ts";
import { checkOf } from "../kit/run/variant-results.ts";
import { writeWhole } from "./shared/write-file.ts";

/** Rewrites the file in place. A list that names no checks is left as it is. */
export async function migrate(file: string): Promise<void> {
  const list = await readKnownFailures(file);
  if (list.entries.length === 0) return console.log(`${file}: names no checks, so there is nothing to rewrite`);
  const { cases } = await loadSuite();
  const { text, moved, stay } = migratedKnownFailures(readFileSync(file, "utf8"), list, cases.map(checkOf));
  if (moved > 0) writeWhole(file, text);
  const entries = moved === 1 ? "1 entry names its requirement" : `${moved} entries name their requirements`;
  console.log(`${file}: ${entries} now, ${counted(stay.length, "check")} as before`);
  for (const { entry, why } of stay) console.log(`  as before: ${entry.check} (${entry.code}): ${why}`);
  if (moved > 0)
    console.log(
      `What else was broken in the variants that they named is not excused any more; a run says what it is, and adds it: ${commandLine} test --driver <driver> --known-failures ${file} --update-known-failures`,
    );
}
