// A list of known failures as it was read. Types only.

import type { KnownBreach, KnownFailure } from "../../../schemas/types.ts";

/** An entry, and the line on which it begins. */
export type ListedFailure = KnownFailure & { line: number };

/** An entry about a requirement, and the line on which it begins. */
export type ListedBreach = KnownBreach & { line: number };

/** A list that was read. */
export interface KnownFailureList {
  /** As messages name it. */
  file: string;
  /** The checks that fail. */
  entries: ListedFailure[];
  /** The requirements that are broken. Absent: none. */
  requirements?: ListedBreach[];
  /** The day of the run, as `YYYY-MM-DD` in UTC. */
  today: string;
}
