// What a suite is: its cases, the real bugs that they answer, and where its parts lie.

import type { Case } from "../../../schemas/types.ts";
import type { Catalogue } from "./catalogue.ts";

/** A case of the suite. */
export interface SuiteCase {
  /** Its path below the cases, without `.yaml`. */
  id: string;
  /** Its file, absolute. */
  file: string;
  case: Case;
}

/** A real bug that cases answer. */
export interface Bug {
  /** What went wrong, in one line. */
  symptom: string;
  [key: string]: unknown;
}

/** Everything that the kit judges by. */
export interface Suite {
  cases: SuiteCase[];
  catalogue: Catalogue;
  bugs: Record<string, Bug>;
}

/** Where the parts of a suite are; absent means: where the package has them. */
export interface SuiteOptions {
  /** Folder of the package. */
  root?: string;
  /** Folder of the cases. */
  cases?: string;
  /** File of the real bugs. */
  bugs?: string;
  /** Where the parsed suite is kept; null: nowhere. */
  cache?: string | null;
  /** The version of the suite. Absent: the newest. */
  version?: string;
}
