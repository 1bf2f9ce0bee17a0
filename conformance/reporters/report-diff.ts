// Says what became better and worse between two reports: requirement by requirement, then variant by variant.

import type { Report, VariantResult, Verdict } from "../kit/index.ts";
import { keyOf } from "../kit/run/report-file.ts";
import { requirementVerdicts } from "../kit/run/requirement-verdicts.ts";
import type { RequirementOutcome } from "../kit/run/requirement-verdicts.ts";
import { outcomeWords, requirementSentence, sentenceOf } from "./requirements.ts";
import { outcomes, whyOf } from "./outcome.ts";
import { visible } from "./visible.ts";

interface Change {
  before: VariantResult;
  after: VariantResult;
}

/** A requirement of which the two reports say something else. */
interface RequirementChange {
  id: string;
  before: RequirementOutcome;
  after: RequirementOutcome;
  /** What happened, where it is broken now. */
  sentence?: string;
  /** It is broken and was not, or was kept and is not any more. */
  isWorse: boolean;
}

/** What changed. What is in neither list is as it was. */
export interface Difference {
  about: [before: Report, after: Report];
  /** Requirements of which both reports say something, and not the same; and those that are broken of which the first says nothing. */
  requirements: RequirementChange[];
  /** Fails now and did not before, or passed before and does not now. */
  worse: Change[];
  /** Passes now and did not before. */
  fixed: Change[];
  /** Was not there before. */
  added: VariantResult[];
  /** Is not there now. */
  gone: VariantResult[];
}

/** @see REPORT-10 */
export function diffReports(before: Report, after: Report): Difference {
  const earlier = new Map(before.variants.map((result) => [keyOf(result), result]));
  const later = new Set(after.variants.map(keyOf));
  const both = after.variants.flatMap((result): Change[] => {
    const known = earlier.get(keyOf(result));
    return known ? [{ before: known, after: result }] : [];
  });
  return {
    about: [before, after],
    requirements: requirementChanges(before, after),
    worse: both.filter(isWorse),
    fixed: both.filter((change) => change.after.verdict === "pass" && change.before.verdict !== "pass"),
    added: after.variants.filter((result) => !earlier.has(keyOf(result))),
    gone: before.variants.filter((result) => !later.has(keyOf(result))),
  };
}

function requirementChanges(before: Report, after: Report): RequirementChange[] {
  const earlier = new Map(requirementVerdicts(before.variants).map((one) => [one.id, one.outcome]));
  return requirementVerdicts(after.variants).flatMap(({ id, outcome, broken: [example] }) => {
    const isBroken = outcome === "broken";
    const known = earlier.get(id) ?? (isBroken ? "not_seen" : outcome);
    if (known === outcome) return [];
    const isWorse = isBroken || known === "kept";
    return [{ id, before: known, after: outcome, ...(example && { sentence: sentenceOf({ id, example }) }), isWorse }];
  });
}

/** Whether anything became worse. */
export function becameWorse({ requirements, worse }: Difference): boolean {
  return worse.length > 0 || requirements.some((one) => one.isWorse);
}

function isWorse({ before, after }: Change): boolean {
  if (before.verdict === "pass") return after.verdict !== "pass";
  return isRed(after.verdict) && !isRed(before.verdict);
}

function isRed(verdict: Verdict): boolean {
  return verdict === "not-run" || ["failed", "error"].includes(outcomes[verdict]);
}

/** The difference, for people. */
export function* diffLines({ about, requirements, worse, fixed, added, gone }: Difference): Generator<string> {
  for (const [index, report] of about.entries()) {
    const { driver, spec, started_at, totals } = report;
    const verdict = requirementSentence(report);
    const passed = `${totals.pass} of ${totals.selected} variants passed`;
    yield `${index === 0 ? "old" : "new"}: ${visible(driver)}, spec ${spec}, ${started_at}: ${verdict === undefined ? "" : `${verdict}; `}${passed}`;
  }
  yield* section(
    "requirements",
    requirements.toSorted((left, right) => Number(right.isWorse) - Number(left.isWorse)).map(changedRequirement),
  );
  yield* section("worse", worse.map(changed));
  yield* section("fixed", fixed.map(changed));
  yield* section("new", added.map(alone));
  yield* section("gone", gone.map(alone));
  if (requirements.length + worse.length + fixed.length + added.length + gone.length === 0) yield "nothing changed";
}

function* section(title: string, lines: readonly string[]): Generator<string> {
  if (lines.length === 0) return;
  yield `\n${title}: ${lines.length}`;
  for (const line of lines) yield `  ${line}`;
}

function changedRequirement({ id, before, after, sentence, isWorse }: RequirementChange): string {
  const what = `${id}  ${outcomeWords[before]} → ${outcomeWords[after]}${sentence === undefined ? "" : `: ${sentence}`}`;
  return isWorse ? `${what} (worse)` : what;
}

function changed({ before, after }: Change): string {
  const why = whyOf(after);
  return `${keyOf(after)}  ${before.verdict} → ${why.startsWith(after.verdict) ? why : `${after.verdict}: ${why}`}`;
}

function alone(result: VariantResult): string {
  return `${keyOf(result)}  ${result.verdict}`;
}
