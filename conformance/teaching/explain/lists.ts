// How requirements, cases and real bugs are listed below what they belong to: few of them, and how many more there are.

import type { Suite, SuiteCase } from "../../kit/index.ts";
import type { Requirement } from "../../kit/suite/catalogue.ts";
import type { Sources } from "./kind.ts";

/** How many lines a list has where there may be very many. */
const most = 4;

/** A heading with lines below it, or nothing without lines. */
export function* listed(title: string, lines: readonly string[], shown = Infinity): Generator<string> {
  if (lines.length === 0) return;
  yield `  ${title}:`;
  for (const line of lines.slice(0, shown)) yield `    ${line}`;
  if (lines.length > shown) yield `    … and ${lines.length - shown} more, see --full`;
}

/** Cases with what each shows. */
export function* listedCases(title: string, cases: readonly SuiteCase[], shown?: number): Generator<string> {
  yield* listed(
    title,
    cases.map(({ id, case: source }) => `${id}  ${source.title}`),
    shown,
  );
}

/** Requirements with their sentences and why they exist; a few of them, unless everything is shown. */
export function* listedRequirements(
  title: string,
  requirements: readonly Requirement[],
  { isFull }: Sources,
): Generator<string> {
  yield* listed(title, requirements.map(requirementLine), isFull ? Infinity : most);
}

/** A requirement below a heading, and why it exists. */
export function requirementLine({ id, text, why }: Requirement): string {
  return `${id}  ${text}${why === undefined ? "" : `\n      Why: ${why}`}`;
}

/** The real bugs that cases answer, each with what was seen; a case may be given many times. */
export function* listedBugs(cases: readonly SuiteCase[], { bugs }: Suite, shown?: number): Generator<string> {
  const ids = new Set(cases.flatMap(({ case: { why = [] } }) => why.flatMap(({ bug }) => bug ?? [])));
  yield* listed(
    "Real bugs",
    [...ids].map((id) => `${id}  ${bugs[id]?.symptom ?? ""}`),
    shown,
  );
}

/** A few of the cases that somebody is shown who asked for something that many cases have. */
export function* fewCases(cases: readonly SuiteCase[], { suite, isFull }: Sources): Generator<string> {
  const shown = isFull ? Infinity : most;
  yield* listedCases("Cases", cases, shown);
  yield* listedBugs(cases, suite, shown);
}
