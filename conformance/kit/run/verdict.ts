// The verdict on one run: passed, or its failures with the evidence.

import type { InitializeResult, VariantResult } from "../../../schemas/types.ts";
import type { CaseRun } from "../play/play-variant.ts";
import { judge } from "../checks/judge.ts";
import { describeSplit } from "../wire/split-stream.ts";
import type { SuiteCase } from "../suite/types.ts";
import { unreported } from "../suite/variant.ts";
import { failureOf } from "./verdicts.ts";

/** What is said of a variant. */
export type Judged = Pick<VariantResult, "verdict"> & Partial<VariantResult>;

/**
 * The verdict on a run that was answered.
 * @param isShown whether what was seen is kept of a run that passed, too
 */
export function verdictOf(
  run: CaseRun,
  { case: source }: SuiteCase,
  driver: InitializeResult,
  isShown: boolean,
): Judged {
  const failures = judge(run.seen);
  if (failures.length > 0) return { verdict: "fail", failures, ...evidence(run) };
  const seen = isShown ? evidence(run) : {};
  const missing = unreported(source, driver);
  if (missing.length === 0) return { verdict: "pass", ...seen };
  return {
    verdict: "unsupported",
    reason: `the driver does not report ${missing.join(" and ")}; what the kit saw itself was as expected`,
    ...seen,
  };
}

/** The verdict on a run that was not answered, because of this error. */
export function verdictAfter(error: Error, run: CaseRun | undefined, { case: source }: SuiteCase): Judged {
  const failure = failureOf(error);
  if (!failure) return { verdict: "harness-error", reason: `the kit failed: ${error.stack ?? error.message}` };
  const tested = source.requires[0]!;
  const earlier = (run?.seen.failures ?? []).map((seen) => ({ ...seen, requirement: seen.requirement ?? tested }));
  // A run that is refused did not do what its case is about; of a process that ended nothing more is known.
  const first = failure.code === "driver_error" ? { ...failure, requirement: tested } : failure;
  return { verdict: "fail", failures: [first, ...earlier].slice(0, 12), ...evidence(run) };
}

/** What was judged, with the split under which it happened. @see KIT-18 */
export function underSplit(judged: Judged, split: number): Judged {
  const { failures } = judged;
  const where = describeSplit(split);
  return {
    ...judged,
    ...(failures && { failures: failures.map((one) => ({ ...one, message: `${where}: ${one.message}` })) }),
  };
}

/** What a person needs to see why a run failed. */
function evidence(run: CaseRun | undefined): Pick<VariantResult, "exchanges" | "events"> {
  return {
    exchanges: run?.seen.exchanges ?? [],
    ...(run && run.receivedEvents.length > 0 && { events: run.receivedEvents }),
  };
}
