// Writes the table of the glossary: each word, with links to the chapters that use it.

import { html } from "../../reporters/html/markup.ts";
import type { Html } from "../../reporters/html/markup.ts";
import { anchors, chapterName } from "./anchors.ts";
import { counted } from "./listed.ts";
import { prose } from "./prose.ts";
import type { Place } from "./prose.ts";
import type { Chapter, Term } from "./spec-data.ts";
import type { Glossary } from "./terms.ts";

/** The table. Every other chapter has been written before, so that it is known which words it uses. */
export function glossaryTable(glossary: Glossary, chapters: readonly Chapter[], place: Place): Html {
  return html`<table class="glossary">
    <thead>
      <tr>
        <th scope="col">word</th>
        <th scope="col">meaning</th>
        <th scope="col">not</th>
      </tr>
    </thead>
    <tbody>
      ${glossary.terms.map((term) => row(term, usesOf(term, glossary, chapters), place))}
    </tbody>
  </table> `;
}

function row({ words, meaning, not }: Term, uses: readonly Html[], place: Place): Html {
  const details =
    uses.length > 0 &&
    html`<details>
      <summary>in ${counted(uses.length, "chapter")}</summary>
      <ul>
        ${uses}
      </ul>
    </details>`;
  return html`<tr id="${anchors.term(words[0]!)}">
    <th scope="row">${words.join(", ")}</th>
    <td>
      <p>${prose(meaning, place)}</p>
      ${details}
    </td>
    <td>${prose(not, place)}</td>
  </tr> `;
}

/** A link to each chapter that uses a word, to where it does so first. */
function usesOf(term: Term, glossary: Glossary, chapters: readonly Chapter[]): Html[] {
  const uses = chapters.filter(({ file }) => glossary.usesOf(term).includes(chapterName(file)));
  return uses.map(({ file, title }) => {
    const anchor = anchors.use(chapterName(file), term.words[0]!);
    return html`<li><a href="#${anchor}">${title}</a></li> `;
  });
}
