// Writes the texts of the spec as parts of the page: the lead, the chapters, the decisions.

import { html } from "../../reporters/html/markup.ts";
import type { Html } from "../../reporters/html/markup.ts";
import { anchorOf } from "../feature-data.ts";
import { chapterName } from "./anchors.ts";
import type { Entry, Section } from "./contents.ts";
import { glossaryTable } from "./glossary-table.ts";
import { plainText } from "./markdown.ts";
import type { Node } from "./markdown.ts";
import { prose } from "./prose.ts";
import type { Place } from "./prose.ts";
import type { Relations } from "./relations.ts";
import { requirement } from "./requirement.ts";
import { requirementText } from "./requirement-text.ts";
import type { Chapter, SpecData } from "./spec-data.ts";
import { Glossary } from "./terms.ts";

const glossaryFile = "spec/glossary.md";

/** What stands before the chapters. */
export function lead(data: SpecData): Html {
  return prose(data.readme.body, placeOf(data, data.readme.file));
}

/** The chapters in their order. The glossary is written last: it says which of them use a word. */
export function chapters(data: SpecData, relations: Relations): Section[] {
  const glossary = new Glossary(data.terms);
  const others = data.chapters.filter(({ file }) => file !== glossaryFile);
  const texts = new Map(
    others.map(({ file, body }) => {
      const place = { ...placeOf(data, file), terms: glossary.inChapter(chapterName(file)) };
      return [file, html`${body.map((node) => piece(node, place, relations))}`];
    }),
  );
  const place = placeOf(data, glossaryFile);
  const glossaryPiece = (node: Node) =>
    node.type === "table" ? glossaryTable(glossary, others, place) : prose([node], place);
  return data.chapters.map((chapter) => ({
    ...entryOf(chapter),
    file: chapter.file,
    text: texts.get(chapter.file) ?? html`${chapter.body.map(glossaryPiece)}`,
  }));
}

/** The decisions, one behind the other. */
export function decisions(data: SpecData): Html {
  return html`${data.decisions.map(
    ({ file, title, body }) =>
      html`<h3 id="${chapterName(file)}">${title}</h3>
        ${prose(body, placeOf(data, file))}`,
  )}`;
}

function piece(node: Node, place: Place, relations: Relations): Html {
  const text = requirementText(node);
  return text ? requirement(text, place, relations) : prose([node], place);
}

/** Where a text stands that may link to all that is known. */
export function placeOf({ files, catalogue, cases, texts }: SpecData, file: string): Place {
  return {
    file,
    files: new Set(files.keys()),
    requirements: new Set(catalogue.requirements.keys()),
    cases: new Set(cases.map(({ id }) => id)),
    texts,
  };
}

/** A text as an entry of the contents, with its sections. */
export function entryOf({ file, title, body }: Chapter): Entry {
  const sections = body.filter(({ type, depth }) => type === "heading" && depth === 2).map(plainText);
  const anchor = chapterName(file);
  return {
    title,
    anchor,
    below: sections.map((section) => ({ title: section, anchor: `${anchor}/${anchorOf(section)}`, below: [] })),
  };
}
