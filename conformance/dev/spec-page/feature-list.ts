// Writes the list of the features, each with its place in the spec, its requirements and its cases; and what of all this loops offer.

import { html, withCode } from "../../reporters/html/markup.ts";
import type { Html, Piece } from "../../reporters/html/markup.ts";
import { examplesOf, readTopics, sectionOf } from "../feature-data.ts";
import type { Topic } from "../feature-data.ts";
import { anchorOfLink, anchors } from "./anchors.ts";
import { counted, line, linkTo } from "./listed.ts";
import type { Relations } from "./relations.ts";
import type { SpecData } from "./spec-data.ts";

/** Every feature, and behind them the topics. */
export function featureList({ catalogue }: SpecData, relations: Relations): Html {
  const requirements = [...catalogue.requirements.values()];
  return html`${[...catalogue.features].map(([name, meaning]) => {
    const { title, link } = sectionOf(name, requirements);
    const place = anchorOfLink(link, "spec/README.md", new Set())!;
    const cases = relations.casesOfFeature(name);
    return html`<div class="entry" id="${anchors.feature(name)}">
      <p><code class="name">${name}</code> ${withCode(meaning)}</p>
      ${line("Spec", [html`<a href="#${place}">${title}</a>`])}${line("Requirements", relations.requirementsOfFeature(name).map(linkTo.requirement))}${line(
        "Examples",
        examplesOf(name).map((file) => html`<code>reference/examples/${file}</code>`),
      )}${
        cases.length > 0 &&
        html`<details>
          <summary>${counted(cases.length, "case")}</summary>
          ${line(
            "Cases",
            cases.map(({ id }) => linkTo.case(id)),
          )}
        </details> `
      }
    </div> `;
  })}${Object.entries(readTopics()).map(
    ([area, topics]) =>
      html`<h3>${area}</h3>
        <ul class="topics">
          ${topics.map(oneTopic)}
        </ul> `,
  )}`;
}

function oneTopic({ topic, features = [], requirements = [], cases = [], see = [], layer, planned }: Topic): Html {
  const places: Piece[] = [
    ...features.map(linkTo.feature),
    ...requirements.map(linkTo.requirement),
    ...cases.map(linkTo.case),
    ...see.map((path) => html`<code>${path}</code>`),
  ];
  return html`<li>
    ${withCode(topic)}${line("See", places)}${line("Above the loop", layer === undefined ? [] : [withCode(layer)])}${line("Planned", planned === undefined ? [] : [withCode(planned)])}
  </li> `;
}
