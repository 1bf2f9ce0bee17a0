// Writes a requirement: the sentence, why it is there, and, closed at first, all that is about it.

import { indexedPlaces } from "../../teaching/explain/where.ts";
import { html, withCode } from "../../reporters/html/markup.ts";
import type { Html, Piece } from "../../reporters/html/markup.ts";
import { counted, line, linkTo, list } from "./listed.ts";
import { prose } from "./prose.ts";
import type { Place } from "./prose.ts";
import type { Relations } from "./relations.ts";
import type { RequirementText } from "./requirement-text.ts";

/** The requirement as it stands in its chapter. Its id is its anchor. */
export function requirement(
  { id, sentence, why, untestable, until }: RequirementText,
  place: Place,
  relations: Relations,
): Html {
  const { feature } = relations.requirement(id);
  return html`<div class="requirement" id="${id}">
    <p>${linkTo.requirement(id)}${prose(sentence, place)}</p>
    ${why.length > 0 && html`<p class="why"><b>Why:</b> ${prose(why, place)}</p> `}${line("Feature", feature === undefined ? [] : [linkTo.feature(feature)])}${line("No case", untestable.length > 0 ? [prose(untestable, place)] : [])}${line("Until", until.length > 0 ? [prose(until, place)] : [])}${about(id, relations)}
  </div> `;
}

function about(id: string, relations: Relations): Piece {
  const tests = relations.testsOf(id);
  const namers = relations.namersOf(id);
  const bugs = relations.bugsOf(id);
  const mutants = relations.mutantsOf(id);
  const counts = [
    counted(tests.length, "case"),
    counted(bugs.length, "real bug"),
    counted(mutants.length, "mutant"),
    namers.length === 0 ? "" : `named by ${counted(namers.length, "other case")}`,
  ].filter((count) => count !== "");
  if (counts.length === 0) return undefined;
  const parts = [
    list(
      "Cases that test it",
      tests.map((entry) => html`${linkTo.case(entry.id)} ${withCode(entry.case.title)}`),
    ),
    list(
      "Real bugs",
      bugs.map(([name, { symptom }]) => html`${linkTo.bug(name)} ${withCode(symptom)}`),
    ),
    list(
      "Mutants that break it",
      mutants.map((mutant) => html`${linkTo.mutant(mutant.id)} ${withCode(mutant.seen)}`),
    ),
    line(
      "In the reference",
      indexedPlaces(id).map((place) => html`<code>${place}</code>`),
    ),
    line(
      "Named by",
      namers.map((entry) => linkTo.case(entry.id)),
    ),
  ];
  return html`<details>
    <summary>${counts.join(", ")}</summary>
    ${parts}
  </details> `;
}
