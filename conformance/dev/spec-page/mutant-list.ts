// Writes the kill matrix: each fault that was put into the reference, what it breaks, and which cases found it.

import { html, withCode } from "../../reporters/html/markup.ts";
import type { Html } from "../../reporters/html/markup.ts";
import { anchors } from "./anchors.ts";
import { counted, line, linkTo } from "./listed.ts";
import type { Relations } from "./relations.ts";
import type { Chapter, Mutant } from "./spec-data.ts";

/** Every mutant, under the chapter whose requirement it breaks. */
export function mutantList(mutants: readonly Mutant[], chapters: readonly Chapter[], relations: Relations): Html {
  return html`${mutantsByChapter(mutants, chapters, relations).map(
    ([{ title }, some]) =>
      html`<details class="group">
        <summary>
          <h3>${title}</h3>
          ${counted(some.length, "mutant")}
        </summary>
        ${some.map(oneMutant)}
      </details> `,
  )}`;
}

/** The chapters whose requirements are broken by mutants, each with those. */
export function mutantsByChapter(
  mutants: readonly Mutant[],
  chapters: readonly Chapter[],
  relations: Relations,
): [chapter: Chapter, mutants: Mutant[]][] {
  const groups = Map.groupBy(mutants, (mutant) => relations.requirement(mutant.requirement).file);
  return chapters.flatMap((chapter) => {
    const some = groups.get(chapter.file);
    return some === undefined ? [] : [[chapter, some]];
  });
}

/** A mutant, what it breaks, and what found it. */
export function oneMutant({ id, requirement, seen, killers }: Mutant): Html {
  return html`<div class="entry" id="${anchors.mutant(id)}">
    <p><code class="name">${id}</code> ${withCode(seen)}</p>
    ${line("Breaks", [linkTo.requirement(requirement)])}${line("Found by", killers.map(linkTo.case))}
  </div> `;
}
