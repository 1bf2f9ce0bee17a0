// What one run shows: a finding for each requirement, the verdict of the variant by that of its case, and the evidence.

import type { Failure, Finding, RequirementLevel, VariantResult } from "../../../schemas/types.ts";
import { NotExpressible } from "../play/not-expressible.ts";
import type { CaseRun } from "../play/play-variant.ts";
import { behavioursIn } from "../checks/behaviours.ts";
import { brokenFinding, findingsOf } from "../checks/findings.ts";
import type { Requirements } from "../checks/findings.ts";
import { unaskedThinking } from "../checks/unasked-thinking.ts";
import { judge } from "../checks/judge.ts";
import { describeSplit } from "../wire/split-stream.ts";
import type { SuiteCase } from "../suite/types.ts";
import { isWithin, testedAt } from "../suite/levels.ts";
import { failureOf } from "./verdicts.ts";

/** What is said of a variant. */
export type Judged = Pick<VariantResult, "verdict"> & Partial<VariantResult>;

/** By what a run is judged. */
export interface Judging {
  requirements: Requirements;
  /** Nothing beyond this level counts. Absent: everything does. */
  level?: RequirementLevel | undefined;
  /** Whether what was seen is kept of a run in which nothing was wrong, too. */
  isShown: boolean;
}

/** The verdict on a run that was answered: that of the requirement that its case tests. @see KIT-22 */
export function verdictOf(run: CaseRun, judging: Judging): Judged {
  const { requirements } = judging;
  const unasked = unaskedThinking(run.seen);
  if (unasked !== undefined) return notAsked(unasked, run, judging);
  const counts = ({ requirement }: { requirement?: string }) =>
    isWithin(requirements.get(requirement!)?.level, judging.level);
  const { requires } = run.seen.filled.case;
  const tested = testedAt(requires, requirements, judging.level)!;
  const all = judge(run.seen, requirements);
  const failures = all.filter(counts);
  // Where a case of something beyond the level found that broken, it has not shown that the others were kept.
  const bearing = tested === requires[0] ? failures : all;
  const findings = findingsOf(run.seen, bearing, requirements).filter(counts);
  if (findings.every(({ requirement }) => requirement !== tested)) findings.unshift(unseen(tested, requires[0]!));
  const isRed = failures.length > 0;
  const observed = behavioursIn(run.seen);
  return {
    ...verdictBy(findings.find(({ requirement }) => requirement === tested)),
    findings,
    ...(observed.length > 0 && { observed }),
    ...(isRed && { failures, ...endOf(run) }),
    ...((isRed || judging.isShown) && evidence(run)),
  };
}

/** What nobody asked for cannot be missed. */
function notAsked(reason: string, { seen }: CaseRun, { requirements, level }: Judging): Judged {
  const requirement = testedAt(seen.filled.case.requires, requirements, level)!;
  return { verdict: "not-applicable", reason, findings: [{ requirement, verdict: "not_applicable", reason }] };
}

/** What a case shows of a requirement at a level, where what it was written for is beyond the level. */
function unseen(requirement: string, beyond: string): Finding {
  return { requirement, verdict: "not_seen", reason: `the case is about ${beyond}, and showed nothing of it` };
}

/** What a finding of the tested requirement is for the variant. */
function verdictBy(tested: Finding | undefined): Pick<VariantResult, "verdict" | "reason"> {
  if (tested?.verdict === "broken") return { verdict: "fail" };
  if (tested?.verdict === "kept") return { verdict: "pass" };
  return { verdict: "unsupported", ...(tested?.reason !== undefined && { reason: tested.reason }) };
}

/** The verdict on a run that was not answered, because of this error. */
export function verdictAfter(
  error: Error,
  run: CaseRun | undefined,
  { case: source }: SuiteCase,
  { requirements, level }: Judging,
): Judged {
  const tested = testedAt(source.requires, requirements, level)!;
  if (error instanceof NotExpressible) return notSaid(error, run, tested, requirements);
  const failure = failureOf(error);
  if (!failure) return { verdict: "harness-error", reason: `the kit failed: ${error.stack ?? error.message}` };
  const earlier = (run?.seen.failures ?? [])
    .map((seen) => ({ ...seen, requirement: seen.requirement ?? tested }))
    .filter((seen) => isWithin(requirements.get(seen.requirement)?.level, level));
  // A run that is refused did not do what its case is about; of a process that ended nothing more is known.
  const isRefused = failure.code === "driver_error";
  if (isRefused && earlier.length === 0 && tested !== source.requires[0]) {
    const finding = unseen(tested, source.requires[0]!);
    return { verdict: "unsupported", reason: `the run was refused: ${failure.message}`, findings: [finding] };
  }
  const first = isRefused ? { ...failure, requirement: tested } : failure;
  const failures = [first, ...earlier].slice(0, 12);
  return { verdict: "fail", findings: findingsAfter(tested, failures, requirements), failures, ...evidence(run) };
}

/** What is known after a run that was not answered, or of which something came to light too late: only what was broken. */
export function findingsAfter(
  tested: string,
  failures: readonly Failure[],
  requirements: Requirements,
  earlier: readonly Finding[] = [],
): Finding[] {
  const broken = [...Map.groupBy(failures, ({ requirement = tested }) => requirement)].map(([id, [failure]]) =>
    brokenFinding(id, failure!, requirements, undefined),
  );
  const others = earlier.filter(({ requirement }) => broken.every((one) => one.requirement !== requirement));
  return [...broken, ...others].sort(
    (left, right) => Number(right.requirement === tested) - Number(left.requirement === tested),
  );
}

/** The driver cannot say the run in its framework; what it has begun all the same is judged. @see DRIVER-25 */
function notSaid(
  { message, wasBegun }: NotExpressible,
  run: CaseRun | undefined,
  tested: string,
  requirements: Requirements,
): Judged {
  if (!wasBegun) {
    const reason = `the driver cannot express it: ${message}`;
    return {
      verdict: "not-applicable",
      reason,
      findings: [{ requirement: tested, verdict: "not_expressible", reason }],
    };
  }
  const why = `the driver says that the run is not expressible, but it had begun: ${message}`;
  const failures: Failure[] = [{ code: "driver_error", requirement: tested, message: why }];
  return { verdict: "fail", findings: findingsAfter(tested, failures, requirements), failures, ...evidence(run) };
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

/** What was judged, with the moment at which the process was ended. @see KIT-35 */
export function underEnd(judged: Judged, moment: string): Judged {
  const { failures } = judged;
  const where = `where the process ends when ${moment}`;
  return {
    ...judged,
    ...(failures && { failures: failures.map((one) => ({ ...one, message: `${where}: ${one.message}` })) }),
  };
}

/** The error with which the run ended: why most else is as it is. */
function endOf({ seen: { results } }: CaseRun): Pick<VariantResult, "error"> {
  const error = results.at(-1)?.result?.error;
  return error ? { error } : {};
}

/** What a person needs to see why a run failed. */
function evidence(run: CaseRun | undefined): Pick<VariantResult, "exchanges" | "events"> {
  return {
    exchanges: run?.seen.exchanges ?? [],
    ...(run && run.receivedEvents.length > 0 && { events: run.receivedEvents }),
  };
}
