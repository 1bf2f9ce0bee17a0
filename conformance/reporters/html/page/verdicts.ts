// How verdicts are shown: each with its sign and its class, so that no colour stands alone.

import type { Verdict } from "../../../../schemas/types.ts";
import { html } from "../markup.ts";
import type { Html } from "../markup.ts";
import type { PageCheck, PageResult } from "../page-data.ts";

/** Every verdict with its sign; what needs attention first, then what was executed. */
export const signs: Record<Verdict, string> = {
  fail: "✗",
  "harness-error": "‼",
  "not-run": "○",
  "unexpected-pass": "!",
  "expected-fail": "~",
  pass: "✓",
  unsupported: "–",
  "not-applicable": "·",
};

export const verdicts = Object.keys(signs) as Verdict[];

/** What somebody has to look at. */
export const urgent: readonly Verdict[] = ["fail", "harness-error", "not-run", "unexpected-pass"];

/** What was executed, or should have been. */
const executed: readonly Verdict[] = ["pass", "expected-fail", ...urgent];

/** How many results have which verdict. */
export type Counts = Map<Verdict, number>;

export function countsOf(results: readonly PageResult[]): Counts {
  const counts: Counts = new Map();
  for (const { verdict } of results) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  return counts;
}

/** How many were executed, or should have been. Only `pass` is ever counted as passed. @see REPORT-4 */
export function executedOf(counts: Counts): number {
  return sumOf(executed, counts);
}

/** The verdict that says most of several results. */
export function worstOf(results: readonly PageResult[]): Verdict {
  return verdicts.find((verdict) => results.some((result) => result.verdict === verdict)) ?? "not-run";
}

export function sign(verdict: Verdict): Html {
  return html`<span class="sign ${verdict}" title="${verdict}" aria-hidden="true">${signs[verdict]}</span>`;
}

/**
 * One bar of what was executed, as wide as each verdict has a share; of everything where nothing was. The numbers stand beside it, so
 * that it need not be read.
 */
export function shareBar(counts: Counts): Html {
  const shown = executedOf(counts) > 0 ? verdicts.filter((verdict) => executed.includes(verdict)) : verdicts;
  const total = sumOf(shown, counts);
  let left = 0;
  const parts = shown.toReversed().flatMap((verdict) => {
    const width = ((counts.get(verdict) ?? 0) / total) * 100;
    const part =
      width > 0
        ? [html`<rect class="${verdict}" x="${left.toFixed(3)}%" width="${width.toFixed(3)}%" height="100%" />`]
        : [];
    left += width;
    return part;
  });
  return html`<svg class="share" aria-hidden="true">${parts}</svg>`;
}

function sumOf(some: readonly Verdict[], counts: Counts): number {
  return some.reduce((sum, verdict) => sum + (counts.get(verdict) ?? 0), 0);
}

/** Orders variants: those of the wire by their names, after the one that needs no provider. */
export function inOrder(left: string, right: string): number {
  return Number(left.includes("/")) - Number(right.includes("/")) || (left < right ? -1 : 1);
}

export function resultsOf(checks: readonly PageCheck[]): PageResult[] {
  return checks.flatMap(({ results }) => results);
}
