// What every reporter is: it gets the start, each verdict and the end of a run, and writes.

import type { Report, ReportHeader, Suite, VariantResult } from "../kit/index.ts";

/** Reports a run of the kit to a person or a program. What it receives contains no secrets. */
export interface Reporter {
  start?(header: ReportHeader): void;
  /** A variant begins to run, or is played again with a split. Never called for a report that is read again. */
  begin?(begun: Pick<VariantResult, "check" | "variant"> & { split?: number }): void;
  /** A verdict is known; once more if something happened later that changed it. */
  result?(result: VariantResult): void;
  end(report: Report): void;
}

/** How a report of another suite is shown. */
export interface ReportShape {
  /** What a result is counted under. Absent: the folder of its case. */
  groupOf?(result: Pick<VariantResult, "case" | "variant">): string;
  /** How many failed checks are shown in full to a person. Absent: as many as fit. */
  maxDetails?: number;
}

/** What a reporter writes with and looks up. */
export interface ReporterContext extends ReportShape {
  write(text: string): void;
  /** Titles and files of the cases, and the sentences of the spec. A report may name cases that are not there any more. */
  suite: Suite;
  /** Whether to colour. */
  color: boolean;
  /** How wide the terminal is whose last line may be rewritten; absent where that is not wanted. */
  liveColumns?: number;
  /** The time in milliseconds. Absent: that of the machine. */
  now?(): number;
  /** The file for the summary of a job, as GitHub names it. */
  summaryFile?: string;
}
