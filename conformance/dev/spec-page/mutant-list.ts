// Writes the kill matrix: each fault that was put into the reference, what it breaks, and which cases found it.

import { html, withCode } from "../../reporters/html/markup.ts";
import type { Html } from "../../reporters/html/markup.ts";
import { anchors } from "./anchors.ts";
import { counted, line, linkTo } from "./listed.ts";
import type { Relations } from "./relations.ts";
import type { Chapter, Mutant } from "./spec-data.ts";

/** Every mutant, under the chapter whose requirement it breaks. */
export function mutantList(mutants: readonly Mutant[], chapters: readonly Chapter[], relations: Relations): Html {
  const groups = Map.groupBy(mutants, (mutant) => relations.requirement(mutant.requirement).file);
  return html`${chapters.map(({ file, title }) => {
    const some = groups.get(file) ?? [];
    return (
      some.length > 0 &&
      html`<details class="group">
        <summary>
          <h3>${title}</h3>
          ${counted(some.length, "mutant")}
        </summary>
        ${some.map(oneMutant)}
      </details> `
    );
  })}`;
}

function oneMutant({ id, requirement, seen, killers }: Mutant): Html {
  return html`<div class="entry" id="${anchors.mutant(id)}">
    <p><code class="name">${id}</code> ${withCode(seen)}</p>
    ${line("Breaks", [linkTo.requirement(requirement)])}${line("Found by", killers.map(linkTo.case))}
  </div> `;
}
