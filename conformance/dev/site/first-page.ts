// The first page: what it is, in a sentence and a picture; three doors; what else is here. The words are those of README.

import { html } from "../../reporters/html/markup.ts";
import type { Html } from "../../reporters/html/markup.ts";
import { entryOf, placeOf } from "../spec-page/chapters.ts";
import { plainText } from "../spec-page/markdown.ts";
import type { Node } from "../spec-page/markdown.ts";
import { prose } from "../spec-page/prose.ts";
import type { Place } from "../spec-page/prose.ts";
import type { Chapter, SpecData } from "../spec-page/spec-data.ts";
import { parts } from "./site-page.ts";
import type { SitePage } from "./site-page.ts";

/** How many sections of README are doors: its first. */
const doorCount = 3;

/** The page; its picture is a file beside it. */
export function firstPage(readme: Chapter, data: SpecData): SitePage {
  const { title, anchor, below } = entryOf(readme);
  const place: Place = { ...placeOf(data, readme.file), image: pictureOfMatrix };
  const isHeading = ({ type, depth }: Node) => type === "heading" && depth === 2;
  const [start = 0] = readme.body.flatMap((node, at) => (isHeading(node) ? [at] : []));
  const sections = readme.body.slice(start);
  const [sentence, ...rest] = readme.body.slice(0, start);
  const doors = below.slice(0, doorCount).map((door, at) => {
    const about = sections[sections.indexOf(sections.filter(isHeading)[at]!) + 1]!;
    return html`<a class="door" href="#${door.anchor}"><b>${door.title}</b> <span>${firstSentence(about)}</span></a>`;
  });
  return {
    path: "index.html",
    title,
    anchor,
    body: html`<header>
        <h1 id="${anchor}">${title}</h1>
        <div class="lead">${prose([sentence!], place)}</div>
      </header>
      <nav class="doors" aria-label="Three ways in">${doors}</nav>
      ${prose(rest.slice(0, pictureEnd(rest)), place)}
      <h3 id="README/parts">What is here</h3>
      <ul class="parts">
        ${Object.values(parts).map((part) => html`<li><a href="#${part.first}">${part.title}</a> ${part.about}</li> `)}
      </ul>
      <h3 id="README/install">Install</h3>
      ${prose(rest.slice(pictureEnd(rest)), place)} ${prose(sections, place)}`,
  };
}

/** The picture, and the paragraph that explains it. */
function pictureEnd(nodes: readonly Node[]): number {
  return nodes.findIndex(({ children = [] }) => children.some(({ type }) => type === "image")) + 2;
}

function pictureOfMatrix(path: string, text: string): Html {
  return html`<a class="matrix-picture" href="#matrix"><img src="${path.replace(/^.*\//, "")}" alt="${text}" /></a>`;
}

/** The first sentence of a paragraph, in plain words, and without what stands in brackets. */
function firstSentence(node: Node): string {
  const text = plainText(node).replaceAll(/ \([^)]*\)/g, "");
  return /^.*?[.:](?=\s|$)/s.exec(text)?.[0].replace(/:$/, ".") ?? text;
}
