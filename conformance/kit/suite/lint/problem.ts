// What is wrong with a case, and the names that a case may use.

import type { Catalogue } from "../catalogue.ts";

/** Something that is wrong with a case, and where. */
export interface CaseProblem {
  pointer: string;
  message: string;
}

/** The names that a case may use. */
export interface KnownNames extends Pick<Catalogue, "requirements" | "features" | "policies"> {
  /** Keys of conformance/bugs.yaml. */
  bugs: Set<string>;
  /** Whether a fixture, named as in `raw`, exists. */
  hasFixture(name: string): boolean;
}
