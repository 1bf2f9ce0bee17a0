// What a verdict is to a format that knows only passed, failed and skipped tests, and why, in one line.

import { dirname } from "node:path";
import type { Report, Suite, Totals, VariantResult, Verdict } from "../kit/index.ts";
import { shownPath } from "../kit/base/display-path.ts";
import { brokenRequirements, extentOf, sentenceOf, titleOf } from "./requirements.ts";
import type { BrokenRequirement } from "./requirements.ts";
import { firstLine } from "./visible.ts";

/** `known`: it failed, as listed. `error`: the kit's own fault. */
export type Outcome = "passed" | "failed" | "known" | "skipped" | "error";

/** Nothing that was not executed is ever passed. @see REPORT-4 */
export const outcomes: Readonly<Record<Verdict, Outcome>> = {
  pass: "passed",
  fail: "failed",
  "expected-fail": "known",
  "unexpected-pass": "failed",
  unsupported: "skipped",
  "not-applicable": "skipped",
  "not-run": "skipped",
  "harness-error": "error",
};

/** Why a variant has its verdict, in one line. */
export function whyOf({ verdict, reason, failures }: VariantResult): string {
  const [failure] = failures ?? [];
  if (verdict === "fail" && failure) return `${failure.code}: ${firstLine(failure.message)}`;
  const text = reason ?? failure?.message;
  return text === undefined ? verdict : `${verdict}: ${firstLine(text)}`;
}

/** The results that made a check fail. */
export type FailedCheck = [VariantResult, ...VariantResult[]];

/** The checks that failed. Failures come before unexpected passes: they are more informative. */
export function failedChecks({ variants }: Report): FailedCheck[] {
  const failed = variants.filter(({ verdict }) => ["failed", "error"].includes(outcomes[verdict]));
  return [...Map.groupBy(failed, ({ check }) => check).values()].map(
    (results) => results.toSorted((left, right) => rank(left) - rank(right)) as FailedCheck,
  );
}

function rank({ verdict }: VariantResult): number {
  return verdict === "unexpected-pass" ? 1 : 0;
}

/** Something that makes a run red without being a variant. */
export interface Beside {
  name: string;
  message: string;
  file?: string;
  line?: number;
  /** It is not the implementation that is wrong. */
  isError: boolean;
}

/**
 * What is red before and beside the variants that failed: each requirement that is broken, worst first; a driver that never started,
 * what a file says and is not so, variants that were not run, a run of which nothing was. Formats that know only tests have one more
 * failed test for each.
 * @see REPORT-7 REPORT-14
 */
export function besideVariants(report: Report, suite: Pick<Suite, "cases" | "catalogue">): Beside[] {
  return [...brokenRequirements(report, suite).map((broken) => besideOf(broken, suite)), ...besideRequirements(report)];
}

function besideOf(broken: BrokenRequirement, suite: Pick<Suite, "cases">): Beside {
  const { result } = broken.example;
  const { file } = caseOf(result.case, suite);
  const message = `${titleOf(broken)}: ${sentenceOf(broken)}\n${extentOf(broken)}, such as ${result.check} ${result.variant}`;
  const place = { ...(file !== undefined && { file, line: result.line ?? 1 }) };
  return { name: `${broken.id} is kept`, message, ...place, isError: false };
}

/** What is red beside the requirements and the variants. */
export function besideRequirements(report: Report): Beside[] {
  const { start_error: startError, problems = [], totals } = report;
  const fromFiles = problems.map(({ file, line, message }): Beside => {
    const name = `${file}${line === undefined ? "" : `:${line}`} is as it says`;
    return { name, message, file, ...(line !== undefined && { line }), isError: false };
  });
  // It is why the variants were not run.
  if (startError !== undefined)
    return [{ name: "the driver initialises", message: startError, isError: true }, ...fromFiles];
  const isNothing = totals.selected === totals.unsupported + totals["not-applicable"];
  return [...fromFiles, ...(isNothing ? [nothing(totals)] : missed(report))];
}

/** One for each reason. */
function missed({ variants }: Report): Beside[] {
  const notRun = variants.filter(({ verdict }) => verdict === "not-run");
  return [...Map.groupBy(notRun, ({ reason }) => reason ?? "no reason given")].map(([reason, { length }]) => {
    const message = `${length} ${length === 1 ? "variant was" : "variants were"} not run: ${reason}`;
    return { name: "what was selected is run", message, isError: true };
  });
}

function nothing({ selected }: Totals): Beside {
  const message =
    selected === 1
      ? "the 1 variant that was selected is unsupported or does not apply, and says why"
      : `all ${selected} variants that were selected are unsupported or do not apply; each says why`;
  return { name: "something is executed", message: selected === 0 ? "nothing was selected" : message, isError: false };
}

/** The folder of a case. */
export function areaOf(id: string): string {
  return dirname(id);
}

/** The title and the file of a case, as far as the suite has it; a saved report may be of another one. */
export function caseOf(id: string, { cases }: Pick<Suite, "cases">): { title?: string; file?: string } {
  const entry = cases.find((one) => one.id === id);
  return entry ? { title: entry.case.title, file: shownPath(entry.file) } : {};
}
