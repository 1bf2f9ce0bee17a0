// What every reporter is: hears of the start, of each verdict, and of the end, and writes.

import type { RunStart, Suite, SuiteRun, VariantResult } from "../kit/index.ts";

/** Tells somebody, or some program, what came of a run of the kit. */
export interface Reporter {
  start(start: RunStart): void;
  result(result: VariantResult): void;
  end(run: SuiteRun): void;
}

/** What a reporter writes with and looks up. */
export interface ReporterContext {
  write(text: string): void;
  suite: Suite;
  /** Whether to colour. */
  color: boolean;
}

export type ReporterName = keyof typeof reporters;

/** The reporters by name, each loaded when it is used. */
export const reporters = {
  pretty: async (context: ReporterContext): Promise<Reporter> => (await import("./pretty.ts")).prettyReporter(context),
  json: async (context: ReporterContext): Promise<Reporter> => (await import("./json.ts")).jsonReporter(context),
};
