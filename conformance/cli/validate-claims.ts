// Validates the files of an implementation: its agent-loop.json, and its list of known failures.

import type { Manifest } from "../../schemas/types.ts";
import { readCatalogue } from "../kit/suite/catalogue.ts";
import { readKnownFailures } from "../kit/run/known-failures-file.ts";
import { emptyClaims } from "../kit/run/manifest-claims.ts";
import { packagePath } from "../kit/base/package-root.ts";
import { LoadError } from "../kit/suite/suite.ts";
import type { FileProblem } from "../files/file-problem.ts";

/** What an agent-loop.json names and does not exist. */
export function checkClaims(manifest: Manifest, file: string): FileProblem[] {
  const claims = emptyClaims({ manifest, manifestFile: file }, { catalogue: readCatalogue(packagePath()) });
  return claims.map((message) => ({ pointer: "", message }));
}

/** Says whether a list of known failures is valid, and what is wrong with it. */
export async function validateKnownFailures(file: string): Promise<boolean> {
  try {
    await readKnownFailures(file);
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    console.log(error.message);
    return false;
  }
  console.log(`${file}: a valid list of known failures`);
  return true;
}
