// Shows what is known of the requirements: those that are broken, with what happened, and how many of each level are kept.

import { html, withCode } from "../markup.ts";
import type { Html } from "../markup.ts";
import type { PageBroken, PageData } from "../page-data.ts";
import { hashOfFilters } from "./filters.ts";
import { placesOf } from "./results.ts";
import { sign } from "./verdicts.ts";

/** The outcomes of a requirement, in the order of the columns, and how a person calls them. */
const columns = [
  ["broken", "broken"],
  ["known", "known"],
  ["kept", "kept"],
  ["not_seen", "not seen"],
  ["not_applicable", "n/a"],
  ["not_expressible", "not expressible"],
] as const;

/** What is broken, worst severity first, and the table of the levels. */
export function showRequirements(data: PageData): Html {
  const { broken, levels } = data;
  return html`${
    broken.length > 0 &&
    html`<ol class="broken" aria-label="Broken requirements">
      ${broken.map((one) => showBroken(one, data))}
    </ol>`
  }
  ${levels.length > 0 && levelTable(levels)}`;
}

function showBroken(one: PageBroken, data: PageData): Html {
  const { id, level, severity, sentence, without, extent, check, variant, title, error } = one;
  const text = data.requirements[id]?.text;
  return html`<li>
    <p>
      ${sign("fail")} <a href="${hashOfFilters({ requirement: id })}"><b>${id}</b></a>
      ${level && html`<span class="level">${severity ? `${level}, ${severity}` : level}</span>`}
      <strong>${withCode(sentence)}</strong>
    </p>
    ${without && html`<p>${withCode(without)}</p>`} ${text && html`<p class="quiet">${withCode(text)}</p>`}
    ${error && html`<p>The run ended with error <code>${error}</code></p>`}
    <p class="quiet">
      ${extent}, such as <a href="#${placeOf(check, variant, data)}">${check} ${variant}</a>${title && `: ${title}`}
    </p>
  </li>`;
}

/** The address of a variant on this page. */
function placeOf(id: string, variant: string, { checks }: PageData): string {
  const check = checks.find((one) => one.id === id);
  const result = check?.results.find((one) => one.variant === variant);
  return check && result ? encodeURIComponent(placesOf(check, [result]).at(-1)!) : "";
}

function levelTable(levels: PageData["levels"]): Html {
  const shown = columns.filter(([outcome]) => levels.some(({ counts }) => counts[outcome] !== undefined));
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Requirements by level">
    <table>
      <thead>
        <tr>
          <th scope="col">level</th>
          ${shown.map(([, word]) => html`<th scope="col" class="number">${word}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${levels.map(
          ({ level, counts }) =>
            html`<tr>
              <th scope="row">${level}</th>
              ${shown.map(([outcome]) => html`<td class="number">${String(counts[outcome] ?? 0)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
