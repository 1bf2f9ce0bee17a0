// Says where each thing of the project stands in the page, and finds links that lead nowhere.

import { posix } from "node:path";
import { anchorOf } from "../feature-data.ts";

/** Anchors of things that have a name. A requirement has its id. */
export const anchors = {
  case: (id: string) => `case/${id}`,
  bug: (name: string) => `bug/${name}`,
  feature: (name: string) => `feature/${name}`,
  mutant: (id: string) => `mutant/${id}`,
  term: (word: string) => `term/${anchorOf(word)}`,
  /** Where a chapter uses a word of the glossary for the first time. */
  use: (chapter: string, word: string) => `use/${chapter}/${anchorOf(word)}`,
  /** A file that the page has whole, by its path from the root of the project. */
  file: (path: string) => `file/${path}`,
};

/** The name of a chapter, and its anchor: its file without the folder of its document and without `.md`; of the first page of a document, its folder. */
export function chapterName(file: string): string {
  const document = /^spec\/(\w+)\/README\.md$/.exec(file);
  return document ? `document/${document[1]}` : file.replace(/^spec\/(loop\/|kit\/)?/, "").replace(/\.md$/, "");
}

/** The lists behind the chapters, by the file that has the same in the folder `spec`. */
export const lists: Readonly<Record<string, string>> = {
  "spec/README.md": "top",
  "spec/features.md": "features",
  "spec/features.json": "features",
  "spec/parts.json": "parts",
  "spec/topics.json": "features",
  "spec/kill-matrix.md": "kill-matrix",
  "conformance/bugs.yaml": "bugs",
  "conformance/cases": "cases",
  "spec/decisions": "decisions",
  schemas: "data",
  "spec/loop/providers": "providers",
};

/**
 * The anchor that a link of a text leads to.
 * @param from the file of the text, from the root of the project
 * @param files the files that the page has whole
 * @param texts texts outside the spec that can be linked to as well
 * @returns undefined for a file that the page does not have
 */
export function anchorOfLink(
  url: string,
  from: string,
  files: ReadonlySet<string>,
  texts: ReadonlySet<string> = new Set(),
): string | undefined {
  const [path = "", heading] = url.split("#");
  const file = path === "" ? from : posix.join(posix.dirname(from), path).replace(/\/$/, "");
  const list = lists[file];
  if (list !== undefined) return list;
  if (files.has(file)) return anchors.file(file);
  const entry = /^conformance\/cases\/(.*)\.yaml$/.exec(file);
  if (entry) return anchors.case(entry[1]!);
  const text = texts.has(`${file}/README.md`) ? `${file}/README.md` : file;
  if (texts.has(text)) return heading === undefined ? chapterName(text) : `${chapterName(text)}/${heading}`;
  if (!/^spec\/.*\.md$/.test(file)) return undefined;
  return heading === undefined ? chapterName(file) : `${chapterName(file)}/${heading}`;
}

/** What is wrong with the anchors of a page: links that lead nowhere, and anchors that stand twice. One line each. */
export function anchorMistakes(page: string): string[] {
  const ids = Array.from(page.matchAll(/<[a-z][^<>]* id="([^"]*)"/g), ([, id]) => id!);
  const known = new Set(ids);
  const links = new Set(Array.from(page.matchAll(/<a [^<>]*href="#([^"]*)"/g), ([, id]) => id!));
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  return [
    ...[...links]
      .filter((id) => !known.has(id))
      .map(
        (id) => `a link leads to #${id}, which is no place of the page: correct it, or name its text in spec/README.md`,
      ),
    ...twice.map((id) => `#${id} stands twice in the page`),
  ];
}
