// Writes the list of the cases, area by area, each with what it tests, needs, answers and finds.

import { html, withCode } from "../../reporters/html/markup.ts";
import type { Html, Piece } from "../../reporters/html/markup.ts";
import type { SuiteCase } from "../../kit/index.ts";
import { anchors } from "./anchors.ts";
import { counted, line, linkTo } from "./listed.ts";
import type { Relations } from "./relations.ts";

/** The cases of each area. */
export function casesByArea(cases: readonly SuiteCase[]): Map<string, SuiteCase[]> {
  return Map.groupBy(cases, ({ id }) => id.slice(0, id.indexOf("/")));
}

/** Every case, under its area. */
export function caseList(cases: readonly SuiteCase[], relations: Relations): Html {
  return html`${[...casesByArea(cases)].map(
    ([name, some]) =>
      html`<details class="group">
        <summary>
          <h3>${name}</h3>
          ${counted(some.length, "case")}
        </summary>
        ${some.map((entry) => oneCase(entry, relations))}
      </details> `,
  )}`;
}

/**
 * A case with all that belongs to it.
 * @param more what stands below it
 */
export function oneCase(
  { id, case: { title, requires, features = [], why = [] } }: SuiteCase,
  relations: Relations,
  more?: Piece,
): Html {
  const [tested, ...needed] = requires;
  const reasons = why.flatMap(({ text }) => (text === undefined ? [] : [withCode(text)]));
  return html`<div class="entry" id="${anchors.case(id)}">
    <p><code class="name">${id}</code> ${withCode(title)}</p>
    ${line("Tests", [linkTo.requirement(tested!)])}${line("Needs", needed.map(linkTo.requirement))}${line("Features", features.map(linkTo.feature))}${line(
      "Real bugs",
      relations.bugsOfCase(id).map(linkTo.bug),
    )}${line(
      "Mutants that it finds",
      relations.mutantsOfCase(id).map((mutant) => linkTo.mutant(mutant.id)),
    )}${reasons.map((reason) => html`<p class="about">Why: ${reason}</p> `)}${more}
  </div> `;
}
