// Lists what is broken and by whom, what was observed, and what was measured.

import type { Matrix, MatrixRow } from "../../../schemas/types.ts";
import { html, withCode } from "../../reporters/html/markup.ts";
import type { Html } from "../../reporters/html/markup.ts";
import { outcomeOf, requirementsOf, rowsFor, severitiesFor, signs, versionOf } from "./view.ts";
import type { Choice } from "./view.ts";

/** The requirements that some row breaks, each with those rows, by severity and then by how many. */
export function showBreaches(matrix: Matrix, choice: Choice): Html {
  const rows = rowsFor(matrix, choice);
  const sections = severitiesFor(choice).flatMap(({ severity, short, long }) => {
    const broken = requirementsOf(matrix, severity)
      .map((id) => ({ id, red: redRows(rows, id, choice) }))
      .filter(({ red }) => red.length > 0)
      .toSorted((left, right) => right.red.filter(isBroken).length - left.red.filter(isBroken).length);
    if (broken.length === 0) return [];
    return html`<section class="severity">
      <h3>${short}</h3>
      <p class="quiet">${long}</p>
      <ul>
        ${broken.map(({ id, red }) => showBreach(id, red, matrix))}
      </ul>
    </section>`;
  });
  return sections.length === 0 ? html`<p>Nothing is broken here.</p>` : html`${sections}`;
}

interface RedRow {
  row: MatrixRow;
  outcome: "broken" | "unconfirmed";
}

function redRows(rows: readonly MatrixRow[], id: string, { provider }: Choice): RedRow[] {
  return rows.flatMap((row) => {
    const outcome = outcomeOf(row.cells?.[id], provider);
    return outcome === "broken" || outcome === "unconfirmed" ? [{ row, outcome }] : [];
  });
}

function isBroken({ outcome }: RedRow): boolean {
  return outcome === "broken";
}

function showBreach(id: string, red: readonly RedRow[], { requirements }: Matrix): Html {
  const { without, text } = requirements[id]!;
  return html`<li>
    <p><strong>${withCode(without)}</strong></p>
    <p class="quiet"><code>${id}</code> ${withCode(text)}</p>
    <p class="names">
      ${red.map(
        ({ row, outcome }) =>
          html`<a class="name ${outcome}" href="#${row.id}/${id}">
            <span aria-hidden="true">${signs[outcome].sign}</span> ${row.title}<span class="hidden">, ${outcome}</span>
          </a> `,
      )}
    </p>
  </li>`;
}

/** Each policy, and who makes which choice. */
export function showObserved(matrix: Matrix, choice: Choice): Html {
  const rows = rowsFor(matrix, choice);
  const shown = Object.entries(matrix.policies).flatMap(([name, { question, choices, spec }]) => {
    const made = Object.entries(choices).map(([word, meaning]) => ({ word, meaning, by: rowsThat(rows, name, word) }));
    if (made.every(({ by }) => by.length === 0)) return [];
    return html`<section class="policy">
      <h3>${question}</h3>
      <dl>
        ${made.map(
          ({ word, meaning, by }) =>
            html`<div>
              <dt>${meaning}${word === spec && html` <small>as this specification</small>`}</dt>
              <dd>
                ${by.length === 0 ? html`<span class="quiet">nobody</span>` : by.map((title) => html`<span class="name">${title}</span> `)}
              </dd>
            </div>`,
        )}
      </dl>
    </section>`;
  });
  return shown.length === 0
    ? html`<p class="quiet">Nothing was observed.</p>`
    : html`<div class="policies">${shown}</div>`;
}

function rowsThat(rows: readonly MatrixRow[], policy: string, choice: string): string[] {
  return rows
    .filter(({ observed = [] }) => observed.some((one) => one.policy === policy && (one.choices[choice] ?? 0) > 0))
    .map(({ title }) => title);
}

/** What was measured: versions, configuration, what could not be expressed, what changed, what is disputed. */
export function showRows(matrix: Matrix, choice: Choice): Html {
  return html`${rowsFor(matrix, choice).map(showMeasured)}`;
}

function showMeasured(row: MatrixRow): Html {
  const {
    id,
    title,
    configuration,
    packages,
    language,
    changed,
    disputes,
    cells = {},
    measured_at,
    variants = {},
  } = row;
  const silent = Object.entries(cells).filter(([, { outcome }]) => outcome === "not_expressible");
  const reasons = Map.groupBy(silent, ([, { reason = "" }]) => reason);
  return html`<article class="measured" id="row-${id}" tabindex="-1">
    <h3>${title} <small>${versionOf(row)}</small></h3>
    <p>${configuration}</p>
    ${row.unavailable !== undefined && html`<p class="bad">Not measured: ${row.unavailable}</p>`}
    <dl class="facts">
      ${fact("language", language)} ${fact("measured", `${measured_at.slice(0, 10)}, kit ${row.kit}, spec ${row.spec}`)}
      ${packages.length > 0 && fact("packages", packages.map(({ name, version }) => `${name} ${version}`).join(", "))}
      ${row.providers !== undefined && fact("providers", row.providers.join(", "))}
      ${variants["selected"] !== undefined && fact("variants", variantWords(variants))}
      ${row.offline === true && fact("network", "none while it was measured")}
    </dl>
    ${
      changed &&
      html`<p class="note">
        <strong>Changed since ${changed.since.slice(0, 10)}:</strong> ${[
          ...(changed.versions ?? []),
          ...(changed.cells ?? []).map(
            (one) => `${one.requirement} ${one.before.replaceAll("_", " ")} → ${one.after.replaceAll("_", " ")}`,
          ),
        ].join(", ")}
      </p>`
    }
    ${
      silent.length > 0 &&
      html`<details>
        <summary>${silent.length} requirements that its driver cannot bring about</summary>
        <ul>
          ${[...reasons].map(([reason, own]) => html`<li>${own.map(([one]) => one).join(", ")}: ${reason}</li>`)}
        </ul>
      </details>`
    }
    ${
      disputes !== undefined &&
      html`<blockquote>
        <p><strong>Disputed.</strong></p>
        <div class="verbatim">${disputes}</div>
      </blockquote>`
    }
  </article>`;
}

function fact(name: string, value: string): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

function variantWords(variants: Record<string, number>): string {
  const played = (variants["pass"] ?? 0) + (variants["fail"] ?? 0);
  return `${played} played of ${variants["selected"]}${(variants["not-run"] ?? 0) > 0 ? `, ${variants["not-run"]} not run in time` : ""}`;
}
