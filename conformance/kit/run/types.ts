// What goes into and comes out of one run of the suite. Types only.

import type { ReportHeader, Shard, VariantResult } from "../../../schemas/types.ts";
import type { NamedDriver } from "../driver/command.ts";
import type { DriverStart } from "../driver/types.ts";
import type { KnownFailureList } from "./known-failures.ts";
import type { Report } from "./make-report.ts";
import type { Observation } from "../observed/observation.ts";
import type { Repeatable } from "./repro-options.ts";
import type { JudgedLevel } from "../suite/levels.ts";
import type { Selected, Selection } from "../suite/selection.ts";
import type { Suite } from "../suite/types.ts";

/** A driver that is run against: a program, or code in this process. */
export interface TestedDriver extends Omit<NamedDriver, "command"> {
  command: DriverStart;
}

/** What to run, against which driver, and where it is reported. */
export interface RunSuiteOptions {
  /** A name, a folder with an agent-loop.json, or a command. */
  driver: string | TestedDriver;
  /** Absent: the suite of the package. */
  suite?: Suite;
  select?: Selection;
  /** Where the cases lie, if they are not those of the package: what repeats a failure names it, and nothing of a profile is certified. */
  casesFolder?: string;
  /** Runs only those of the selected variants of which this is true. Absent: all. */
  only?(selected: Selected): boolean;
  /** Runs only cases that test a requirement up to this level, and judges nothing beyond it. Absent: everything. @see KIT-25 */
  level?: JudgedLevel;
  /** `true`, or why a selected variant does not apply to this driver. Absent: all apply. */
  applies?(selected: Selected): true | string;
  /** Is shown a run before it begins, and may add to its failures. What it returns is called when the run is over. */
  witness?(run: string, seen: Observation): () => void;
  /** What the implementation is known to fail; null: nothing. Absent: what its agent-loop.json says. */
  knownFailures?: KnownFailureList | null;
  /** Runs only this part of what is selected. Absent: all of it. */
  shard?: Shard;
  /** Ends the run before everything was run: nothing more is begun, and what has no verdict yet was not run, for the reason of the signal. Absent: nothing ends it. */
  signal?: AbortSignal;
  /** Whether the report has what was seen of every variant, or only of those that failed. Absent: failures. */
  details?: "failures" | "all";
  /** How many runs may be in flight, if the driver allows it. */
  jobs?: number;
  /** How long one run may take in all, in milliseconds. Infinity: as long as it wants. */
  timeoutMs?: number;
  /** How long a driver may take to start, in milliseconds. */
  startTimeoutMs?: number;
  /** Absent: a new one. */
  seed?: number;
  /** Splits with which each streamed variant is played again; see `splitsOf`. Absent: none. @see KIT-18 */
  splits?: readonly number[];
  /** Features that count as declared although they are not. Absent: none. */
  assume?: readonly string[];
  /** How a person sees a failure again. Absent: the command line. */
  repro?(failed: Repeatable): string;
  /** Called with each process of the driver; nothing is sent to it until the returned promise settles. */
  onDriver?(pid: number | undefined): Promise<void> | void;
  onStart?(header: ReportHeader): void;
  /** Called with each variant that starts, and again with each split with which it is played. */
  onBegin?(begun: Pick<VariantResult, "check" | "variant"> & { split?: number }): void;
  /** Called with each verdict as soon as it is known, and again if a later event changes it. */
  onResult?(result: VariantResult): void;
}

/** The result of a run. */
export interface SuiteRun {
  report: Report;
  driver: TestedDriver;
  /** Why the driver never initialised, if it did not. */
  startError?: string;
}
