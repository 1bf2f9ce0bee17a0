// What goes into and comes out of one run of the suite. Types only.

import type { InitializeResult, Report, VariantResult } from "../../reference/types.ts";
import type { NamedDriver } from "./driver-command.ts";
import type { Selection } from "./selection.ts";
import type { Suite } from "./suite.ts";

/** What to run, against whom, and who hears of it. */
export interface RunSuiteOptions {
  /** A name, a folder with an agent-loop.json, or a command. */
  driver: string | NamedDriver;
  /** Absent: the suite of the package. */
  suite?: Suite;
  select?: Selection;
  /** How many runs may be in flight, if the driver allows it. */
  jobs?: number;
  /** How long one run may take in all, in milliseconds. */
  timeoutMs?: number;
  /** How long a driver may take to start, in milliseconds. */
  startTimeoutMs?: number;
  /** Absent: a new one. */
  seed?: number;
  onStart?(start: RunStart): void;
  /** Hears of each verdict as soon as it is known; once more if something happens later that changes it. */
  onResult?(result: VariantResult): void;
}

/** What is known before the first run. */
export interface RunStart {
  driver: NamedDriver;
  /** Absent if the driver never initialised. */
  handshake?: InitializeResult;
  seed: number;
  selected: number;
}

/** What came of it. */
export interface SuiteRun {
  report: Report;
  driver: NamedDriver;
  /** Why the driver never initialised, if it did not. */
  startError?: string;
}
