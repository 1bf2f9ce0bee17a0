// Shows what the whole report comes to: who was tested, the verdict in one sentence, and the scores by every grouping.

import type { Verdict } from "../../../../schemas/types.ts";
import { html, withCode } from "../markup.ts";
import type { Html } from "../markup.ts";
import type { PageCheck, PageData, PageResult } from "../page-data.ts";
import { hashOfFilters } from "./filters.ts";
import type { Filters } from "./filters.ts";
import { plural } from "./plural.ts";
import { countsOf, executedOf, inOrder, resultsOf, shareBar, sign, urgent, worstOf } from "./verdicts.ts";

export function showLead(data: PageData): Html {
  const counts = countsOf(resultsOf(data.checks));
  return html`<p class="lead">${verdictOf(data)}</p>
    ${data.problems.length > 0 && showProblems(data.problems)} ${data.checks.length > 0 && shareBar(counts)}
    <dl class="facts">
      ${data.facts.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>`;
}

/** What is red beside the variants. Many of them would push everything else away, so they scroll. */
function showProblems(problems: PageData["problems"]): Html {
  return html`<ul class="problems" tabindex="0" aria-label="What else is wrong">
    ${problems.map(
      ({ name, message }) => html`<li>${sign("fail")} <b>${name}</b> <span class="message">${message}</span></li>`,
    )}
  </ul>`;
}

/** The sentence that most people came for. */
function verdictOf({ totals, broken, checks, problems, levels }: PageData): Html {
  const number = (count: number) => count.toLocaleString("en");
  if (totals["harness-error"] > 0)
    return html`${sign("harness-error")} <strong>The kit failed</strong> in
      ${plural(totals["harness-error"], "variant")}: this is a bug of the kit.`;
  const executed = totals.pass + totals.fail + totals["expected-fail"] + totals["unexpected-pass"];
  if (executed === 0) return html`${sign("not-run")} <strong>Nothing was executed.</strong>`;
  const red = urgent.reduce((sum, verdict) => sum + totals[verdict], 0);
  if (broken.length > 0)
    return html`${sign("fail")} <strong>${plural(broken.length, "requirement")} broken</strong>;
      ${
        red === 0
          ? "each in variants of cases that test something else."
          : html`${number(red)} of ${plural(executed + totals["not-run"], "variant")}
            ${red === totals.fail ? "failed" : "are not as they should be"}.`
      }`;
  if (red === 0 && problems.length > 0)
    return html`${sign("fail")} <strong>The variants are as they should be, but the run is not.</strong>`;
  if (red === 0)
    return html`${sign("pass")} ${keptOf(levels)}<strong
        >${number(totals.pass)} of ${plural(executed, "variant")} passed</strong
      >${
        totals["expected-fail"] > 0 ? `; ${number(totals["expected-fail"])} failed, which is known.` : ", none failed."
      }`;
  const redChecks = checks.filter(({ results }) => results.some(({ verdict }) => urgent.includes(verdict))).length;
  const what = red === totals.fail ? "failed" : "are not as they should be";
  return html`${sign("fail")}
    <strong>${number(red)} of ${plural(executed + totals["not-run"], "variant")} ${what}</strong>, in
    ${number(redChecks)} of ${number(checks.length)} checks.`;
}

/** The requirements come first, where something is known of them. @see REPORT-15 */
function keptOf(levels: PageData["levels"]): Html {
  const kept = levels.reduce((sum, { counts }) => sum + (counts.kept ?? 0), 0);
  return kept === 0 ? html`` : html`<strong>${plural(kept, "requirement")} kept</strong>; `;
}

/** One line of a table of scores. */
interface Group {
  name: string;
  /** What the name means. */
  about?: string;
  filter: Partial<Filters>;
  results: PageResult[];
}

export function showScores(data: PageData): Html {
  const all = resultsOf(data.checks);
  const byVariant = Map.groupBy(all, ({ variant }) => variant);
  const variants = [...byVariant].sort(([left], [right]) => inOrder(left, right));
  return html`${table(
    "provider and transport",
    variants.map(([name, results]) => ({ name, filter: { provider: name }, results })),
    true,
  )}
  ${table(
    "area",
    groups(data.checks, ({ area }) => [area]).map(([name, results]) => ({ name, filter: { area: name }, results })),
  )}
  ${table(
    "feature",
    groups(data.checks, ({ features }) => features).map(([name, results]) => ({
      name,
      about: data.features[name] ?? "",
      filter: { feature: name },
      results,
    })),
  )}
  ${table(
    "requirement",
    groups(data.checks, ({ requirement }) => [requirement]).map(([name, results]) => ({
      name,
      about: data.requirements[name]?.text ?? "",
      filter: { requirement: name },
      results,
    })),
  )}`;
}

/** The results by names, sorted as people count: LOOP-9 before LOOP-10. */
function groups(checks: readonly PageCheck[], namesOf: (check: PageCheck) => string[]): [string, PageResult[]][] {
  const byName = new Map<string, PageResult[]>();
  for (const check of checks)
    for (const name of namesOf(check)) byName.set(name, [...(byName.get(name) ?? []), ...check.results]);
  return [...byName].sort(([left], [right]) => left.localeCompare(right, "en", { numeric: true }));
}

function table(by: string, rows: readonly Group[], open = false): Html {
  if (rows.length === 0) return html``;
  const ran = rows.filter(({ results }) => executedOf(countsOf(results)) > 0);
  const good = ran.filter(({ results }) => !isBad(worstOf(results))).length;
  const others = rows.length - ran.length;
  return html`<details class="scores" ${open && html` open`}>
    <summary>
      <span>By ${by}</span>
      <span class="quiet"
        >${good} of ${ran.length} without a failure${others > 0 && `, ${others} of which nothing was run`}</span
      >
    </summary>
    <div class="scroll" tabindex="0" role="region" aria-label="Scores by ${by}">
      <table>
        <thead>
          <tr>
            <th scope="col">${by}</th>
            <td class="bar"></td>
            <th scope="col" class="number">passed</th>
            <th scope="col" class="number">of run</th>
            <th scope="col" class="number">score</th>
            <th scope="col" class="number">unsupported</th>
            <th scope="col" class="number">n/a</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(row)}
        </tbody>
      </table>
    </div>
  </details>`;
}

function row({ name, about, filter, results }: Group): Html {
  const counts = countsOf(results);
  const executed = executedOf(counts);
  const passed = counts.get("pass") ?? 0;
  return html`<tr>
    <th scope="row">
      ${sign(worstOf(results))}
      <a href="${hashOfFilters(filter)}">${name}</a>${about && html`<span class="about">${withCode(about)}</span>`}
    </th>
    <td class="bar">${shareBar(counts)}</td>
    <td class="number">${passed}</td>
    <td class="number">${executed}</td>
    <td class="number">${executed === 0 ? "–" : `${percentage(passed, executed)} %`}</td>
    <td class="number">${counts.get("unsupported") ?? 0}</td>
    <td class="number">${counts.get("not-applicable") ?? 0}</td>
  </tr>`;
}

/** Nothing that is not whole is rounded to 100. */
function percentage(passed: number, executed: number): string {
  const share = (passed / executed) * 100;
  return passed === executed ? "100" : Math.min(share, 99.9).toFixed(1);
}

/** Whether a verdict speaks of a failure, known or not. */
function isBad(verdict: Verdict): boolean {
  return urgent.includes(verdict) || verdict === "expected-fail";
}
