// Says for each stage whether a run passed it, and what is missing.

import type { ReportProblem, StageScore, TrackScore, VariantResult } from "../../../schemas/types.ts";
import type { Report } from "../../kit/run/make-report.ts";
import { packagePath } from "../../kit/base/package-root.ts";
import { shownPath } from "../../kit/base/display-path.ts";
import { providers } from "../../kit/suite/variant.ts";
import { isQuiet } from "../../kit/run/verdicts.ts";
import type { ExaminedStage } from "./stages.ts";

/** What became of the stages that were examined. @see KIT-21 */
export function scoreOf(report: Report, examined: readonly ExaminedStage[]): TrackScore {
  const { driver, suite_version = "", start_error } = report;
  const stages = examined.map((one) => scoreStage(one, report));
  return {
    ...{ score: 1, driver, suite_version, ...(start_error !== undefined && { start_error }) },
    passed: stages.filter(({ is_passed }) => is_passed).length,
    of: stages.length,
    stages,
  };
}

/**
 * What makes a run red that no failed variant does: stages that are not passed because the driver does not declare what they demand.
 * In most formats a variant that is not supported is as good as none.
 */
export function undeclaredStages(report: Report, examined: readonly ExaminedStage[]): ReportProblem[] {
  if (report.start_error !== undefined) return [];
  return examined.flatMap((one) => {
    const { stage, title, missing } = scoreStage(one, report);
    const isReported = missing === undefined || missingOf(one, report).some(({ verdict }) => !isQuiet(verdict));
    const message = `stage ${stage}, ${title}, is not passed: ${missing}`;
    return isReported ? [] : [{ file: shownPath(packagePath(one.stage.file)), message }];
  });
}

/** What a stage demands and did not get, in the order of the suite. */
export function missingOf(one: ExaminedStage, report: Report): VariantResult[] {
  return demandedOf(one, report).filter(({ verdict }) => verdict !== "pass");
}

function scoreStage(one: ExaminedStage, report: Report): StageScore {
  const { number, name, title } = one.stage;
  const of = demandedOf(one, report).length;
  const [first, ...others] = missingOf(one, report);
  const passed = of - others.length - (first ? 1 : 0);
  const missing = report.start_error ?? (first ? why(first) : of === 0 ? noProvider : undefined);
  const is_passed = missing === undefined;
  return { stage: number, name, title, is_passed, passed, of, ...(!is_passed && { missing }) };
}

const noProvider = `the driver declares no provider in its seams; expected one of ${providers.join(", ")}`;

/** On the wire only the providers that the driver declares are demanded. */
function demandedOf({ selected }: ExaminedStage, { variants, implementation }: Report): VariantResult[] {
  const seams: readonly string[] = implementation?.seams ?? [];
  const keys = new Set(
    selected
      .filter(({ variant: { seam } }) => seam === "generic" || seams.includes(seam))
      .map(({ entry, variant }) => `${entry.id} ${variant.name}`),
  );
  return variants.filter((result) => keys.has(`${result.case} ${result.variant}`));
}

function why({ check, variant, verdict, reason, failures }: VariantResult): string {
  const detail = failures?.[0]?.message ?? reason ?? verdict;
  return `${check} ${variant}: ${detail.split("\n", 1)[0]}`;
}
