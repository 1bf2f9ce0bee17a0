// Writes the texts of the spec as HTML: links lead to places in the page, ids and first uses of words become links.

import { posix } from "node:path";
import { Html, html } from "../../reporters/html/markup.ts";
import type { Piece } from "../../reporters/html/markup.ts";
import { anchorOf } from "../feature-data.ts";
import { anchorOfLink, anchors, chapterName } from "./anchors.ts";
import { diagram } from "./diagrams/diagram.ts";
import { plainText } from "./markdown.ts";
import type { Node } from "./markdown.ts";
import type { TermFinder } from "./terms.ts";

/** Where a text stands, and what it may link to. */
export interface Place {
  /** The file of the text, from the root of the project: its links are meant from there. */
  file: string;
  /** What the page has. */
  files: ReadonlySet<string>;
  requirements: ReadonlySet<string>;
  cases: ReadonlySet<string>;
  /** Texts outside the spec that can be linked to as well. */
  texts?: ReadonlySet<string> | undefined;
  /** Shows a picture, by its path from the root of the project. Absent where there can be none. */
  image?: (path: string, text: string) => Html;
  /** Absent where no word of the glossary is linked. */
  terms?: TermFinder | undefined;
}

/** Pieces of a text, one after another. */
export function prose(nodes: readonly Node[], place: Place): Html {
  return html`${nodes.map((node) => written(node, place))}`;
}

function written(node: Node, place: Place): Piece {
  const inner = (at = place) => prose(node.children ?? [], at);
  switch (node.type) {
    case "text":
      return textWithLinks(node.value!, place);
    case "inlineCode":
      return code(node.value!, place);
    case "keyWord":
      return html`<strong class="key-word">${node.value}</strong>`;
    case "strong":
      return html`<strong>${inner()}</strong>`;
    case "emphasis":
      return html`<em>${inner()}</em>`;
    case "link":
      return link(node, place);
    case "paragraph":
      return html`<p>${inner()}</p> `;
    case "heading":
      return heading(node, place);
    case "list":
      return node.ordered
        ? html`<ol>
            ${inner()}
          </ol> `
        : html`<ul>
            ${inner()}
          </ul> `;
    case "listItem":
      return html`<li>${inner()}</li>`;
    case "table":
      return table(node, { ...place, terms: undefined });
    case "code":
      return block(node);
    case "image":
      if (place.image === undefined) break;
      return place.image(posix.join(posix.dirname(place.file), node.url!), node.alt ?? "");
    case "html":
      // The marks around generated tables.
      if (/^<!--[^]*-->$/.test(node.value!)) return undefined;
      break;
  }
  throw new Error(
    `${place.file}: ${node.type} "${plainText(node)}" cannot be shown yet; see conformance/dev/spec-page`,
  );
}

/** One level below those of the text, whose title is a heading of the second level here. */
function heading(node: Node, place: Place): Html {
  const level = new Html(`h${node.depth! + 1}`);
  const anchor = `${chapterName(place.file)}/${anchorOf(plainText(node))}`;
  const title = prose(node.children ?? [], { ...place, terms: undefined });
  return html`<${level} id="${anchor}">${title} ${linkHere(anchor)}</${level}>\n`;
}

function link({ url = "", children = [] }: Node, place: Place): Piece {
  const label = prose(children, { ...place, terms: undefined, requirements: new Set(), cases: new Set() });
  if (/^https?:/.test(url)) return html`<a href="${url}" rel="noreferrer">${label}</a>`;
  const anchor = anchorOfLink(url, place.file, place.files, place.texts);
  // A file of the project that the page does not have: its name has to do.
  return anchor === undefined ? html`<span class="file">${label}</span>` : html`<a href="#${anchor}">${label}</a>`;
}

/** Code that names a case leads to it. */
function code(value: string, { cases }: Place): Html {
  const shown = html`<code>${value}</code>`;
  const [id = ""] = value.split("#");
  return cases.has(id) ? html`<a href="#${anchors.case(id)}">${shown}</a>` : shown;
}

function textWithLinks(text: string, place: Place): Piece[] {
  return text.split(/(\b[A-Z]+-\d+\b)/).flatMap((part, index): Piece[] => {
    if (index % 2 === 1 && place.requirements.has(part)) return [html`<a class="id" href="#${part}">${part}</a>`];
    return textWithTerms(part, place);
  });
}

function textWithTerms(text: string, place: Place): Piece[] {
  const found = place.terms?.next(text);
  if (!found) return [text];
  const { before, word, after, term } = found;
  const name = term.words[0]!;
  const use = anchors.use(chapterName(place.file), name);
  return [
    before,
    html`<a class="term" id="${use}" href="#${anchors.term(name)}" title="${term.meaning.map(plainText).join("")}"
      >${word}</a
    >`,
    ...textWithTerms(after, place),
  ];
}

/** A table that can be moved sideways where it is wider than the screen. */
function table({ children = [] }: Node, place: Place): Html {
  const [head, ...rows] = children.map((row) => (row.children ?? []).map((cell) => prose(cell.children ?? [], place)));
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Table">
    <table>
      <thead>
        <tr>
          ${head!.map((cell) => (cell.text === "" ? html`<td></td>` : html`<th scope="col">${cell}</th>`))}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr> `,
        )}
      </tbody>
    </table>
  </div> `;
}

function block({ lang, meta, value = "" }: Node): Html {
  if (lang === "mermaid") return diagram(value);
  const label = [lang, meta].filter(Boolean).join(" ");
  return html`<figure class="code">
    <figcaption>${label}</figcaption>
    <pre><code>${value}</code></pre>
  </figure> `;
}

/** What gives the address of the heading in which it stands. */
export function linkHere(anchor: string): Html {
  return html`<a class="here" href="#${anchor}" aria-label="Link to this place"></a>`;
}
