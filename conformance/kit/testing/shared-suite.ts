// The suite, loaded once for all tests of a process: to load it takes longer than most of them, and nobody changes it.

import { loadSuite } from "../suite/suite.ts";
import type { Suite } from "../suite/types.ts";

let loaded: Promise<Suite> | undefined;

/** The suite of this checkout. */
export async function sharedSuite(): Promise<Suite> {
  return await (loaded ??= loadSuite());
}
