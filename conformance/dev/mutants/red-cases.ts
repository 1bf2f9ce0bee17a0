// Writes what the kit says of each fault, for the quiz: of those that were tried anew, of the others as it was.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pc from "picocolors";
import { readRedCases, redCaseOf, redCasesFile } from "../../teaching/quiz/red-cases.ts";
import type { RedCases } from "../../teaching/quiz/red-cases.ts";
import { root } from "../schema-files.ts";
import type { Mutant } from "./read-mutants.ts";
import type { Tried } from "./try-mutant.ts";

/**
 * Writes the file, or says of which faults it knows nothing.
 * @param mutants all there are; what is known of others goes
 * @returns false if it may not be written, and lacks a mutant that was tried, or has a case for it that did not see it
 */
export function publishRedCases(tried: readonly Tried[], mutants: readonly Mutant[], isCheck: boolean): boolean {
  const known = readRedCases(mutants);
  const killed = tried.filter(({ verdict }) => verdict === "killed");
  if (isCheck) {
    const stale = killed.filter(({ mutant, killers }) => !killers.includes(known[mutant.id]?.case ?? ""));
    if (stale.length === 0) return true;
    const ids = stale.map(({ mutant }) => mutant.id).join(", ");
    console.log(pc.red(`${redCasesFile} is stale: ${ids}. Run \`npm run mutants\` and commit the result.`));
    return false;
  }
  const fresh = new Map(killed.map(({ mutant, red }) => [mutant.id, redCaseOf(mutant, red)]));
  const text = redCasesText(
    Object.fromEntries(
      mutants.flatMap(({ id }) => {
        const red = fresh.get(id) ?? known[id];
        return red === undefined ? [] : [[id, red]];
      }),
    ),
  );
  const path = join(root, redCasesFile);
  if (existsSync(path) && readFileSync(path, "utf8") === text) return true;
  writeFileSync(path, text);
  console.log(`wrote ${redCasesFile}`);
  return true;
}

/** One line for each fault, so that a change shows which. */
function redCasesText(redCases: RedCases): string {
  const lines = Object.entries(redCases).map(([id, red]) => `${JSON.stringify(id)}: ${JSON.stringify(red)}`);
  return `{\n${lines.join(",\n")}\n}\n`;
}
