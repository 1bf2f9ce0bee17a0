// Draws the matrix: a row for each framework or program, a square for each requirement, grouped by what happens to a user.

import type { Matrix, MatrixRow } from "../../../schemas/types.ts";
import { html } from "../../reporters/html/markup.ts";
import type { Html } from "../../reporters/html/markup.ts";
import { kindWords, outcomeOf, requirementsOf, rowsFor, severitiesFor, signs, versionOf } from "./view.ts";
import type { Choice, Outcome } from "./view.ts";

/** What the data comes to, above everything. */
export function showLead({ rows, requirements }: Matrix): Html {
  const measured = rows.filter(({ cells }) => cells !== undefined);
  const others = measured.filter(({ kind }) => kind !== "own");
  const broken = others.flatMap(({ cells }) => Object.values(cells!).filter(({ outcome }) => outcome === "broken"));
  const days = measured.map(({ measured_at }) => measured_at.slice(0, 10)).sort();
  const when = days[0] === days.at(-1) ? days[0] : `between ${days[0]} and ${days.at(-1)}`;
  return html`<p class="lead">
    ${others.length} frameworks and programs of others were held to ${Object.keys(requirements).length} requirements
    that protect every user: nothing is executed unasked, nothing forgotten, no failure reported as success, and the
    conversation can go on. ${broken.length} breaches are red, each shown by a script that needs nothing of ours.
    Measured ${when}.
  </p>`;
}

export function showLegend(): Html {
  return html`${Object.entries(signs).map(
    ([outcome, { sign, word, long }]) =>
      html`<li>
        <span class="cell ${outcome}" aria-hidden="true">${sign}</span> <b>${word}</b> <span>${long}</span>
      </li>`,
  )}`;
}

/** The table of all rows that fit. */
export function showGlance(matrix: Matrix, choice: Choice): Html {
  const rows = rowsFor(matrix, choice);
  const shown = severitiesFor(choice);
  if (rows.length === 0) return html`<p>No row fits these choices.</p>`;
  const widths = shown.map(({ severity }) => Math.max(6, Math.sqrt(requirementsOf(matrix, severity).length) * 4));
  const all = widths.reduce((sum, width) => sum + width, 0);
  return html`<table class="glance">
    <caption class="hidden">
      What each framework and program keeps and breaks
    </caption>
    <colgroup>
      <col class="loop" />
      ${widths.map((width) => html`<col width="${Math.round((width / all) * 78)}%" />`)}
    </colgroup>
    <thead>
      <tr>
        <th scope="col">loop</th>
        ${shown.map(({ short, long }) => html`<th scope="col" title="${long}">${short}</th>`)}
      </tr>
    </thead>
    ${(["framework", "program", "own"] as const).map((kind) => {
      const own = rows.filter((row) => row.kind === kind);
      return (
        own.length > 0 &&
        html`<tbody>
          <tr class="kind">
            <th scope="colgroup" colspan="${shown.length + 1}">${kindWords[kind]}</th>
          </tr>
          ${own.map((row) => showRow(row, matrix, choice))}
        </tbody>`
      );
    })}
  </table>`;
}

function showRow(row: MatrixRow, matrix: Matrix, choice: Choice): Html {
  const shown = severitiesFor(choice);
  if (row.cells === undefined)
    return html`<tr>
      ${showName(row)}
      <td colspan="${shown.length}" class="quiet">Not measured: ${row.unavailable ?? "no reason is given"}</td>
    </tr>`;
  return html`<tr data-row="${row.id}">
    ${showName(row)}
    ${shown.map(({ severity, short }) => {
      const ids = requirementsOf(matrix, severity);
      const outcomes = ids.map((id) => outcomeOf(row.cells![id], choice.provider));
      const count = (outcome: Outcome) => outcomes.filter((one) => one === outcome).length;
      return html`<td data-severity="${short}">
        <span class="number ${count("broken") > 0 ? "some" : count("unconfirmed") > 0 ? "maybe" : "none"}"
          >${count("broken")}<span class="hidden"> broken, ${count("unconfirmed")} unconfirmed</span></span
        >
        <span class="cells">${ids.map((id, at) => showCell(row, id, outcomes[at]!))}</span>
      </td>`;
    })}
  </tr>`;
}

function showName(row: MatrixRow): Html {
  return html`<th scope="row">
    <a href="#row-${row.id}">${row.title}</a>
    <small
      >${versionOf(row)}${row.changed !== undefined && html` <em title="It changed since the run before.">changed</em>`}${row.disputes !== undefined && html` <em>disputed</em>`}</small
    >
  </th>`;
}

function showCell(row: MatrixRow, id: string, outcome: Outcome): Html {
  const { sign, word } = signs[outcome];
  const sentence = row.cells![id]?.sentence;
  const isRed = outcome === "broken" || outcome === "unconfirmed";
  return html`<a
    class="cell ${outcome}"
    tabindex="-1"
    href="#${row.id}/${id}"
    data-cell="${row.id}/${id}"
    title="${id} ${word}${isRed && sentence !== undefined && `: ${sentence}`}"
    aria-label="${row.title}, ${id}: ${word}"
  >
    ${sign}
  </a>`;
}
