// Reads everything that the page shows: chapters, requirements, cases, real bugs, features, mutants, and files of data.

import { readFileSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { loadSuite } from "../../kit/index.ts";
import type { Bug as AnyBug, Catalogue, SuiteCase } from "../../kit/index.ts";
import { matrixFile } from "../mutants/matrix.ts";
import { root } from "../schema-files.ts";
import { lists } from "./anchors.ts";
import { everyNode, plainText, readMarkdown } from "./markdown.ts";
import type { Node } from "./markdown.ts";

/** A text of the spec. */
export interface Chapter {
  /** From the root of the project. */
  file: string;
  title: string;
  /** What stands below the title. */
  body: Node[];
}

/** A real bug, as conformance/bugs.yaml has it. */
export interface Bug extends AnyBug {
  links: string[];
  cases?: string[];
  /** Requirements that decide what is right where real loops disagree. */
  settled?: string[];
  /** Why no case answers it. */
  none?: string;
}

/** A fault that was put into the reference, as the kill matrix has it. */
export interface Mutant {
  id: string;
  requirement: string;
  /** What a user would see. */
  seen: string;
  /** The cases that found it. */
  killers: string[];
}

/** A word of the glossary. */
export interface Term {
  /** The word and its synonyms; the first one names the term. */
  words: string[];
  meaning: Node[];
  not: Node[];
}

export interface SpecData {
  /** The text before the chapters. */
  readme: Chapter;
  chapters: Chapter[];
  decisions: Chapter[];
  terms: Term[];
  catalogue: Catalogue;
  cases: SuiteCase[];
  bugs: Map<string, Bug>;
  mutants: Mutant[];
  /** Files that the page has whole, by path: schemas and tables. */
  files: Map<string, string>;
  /** Texts outside the spec that can be linked to as well. Absent: there are none. */
  texts?: ReadonlySet<string>;
}

/** Reads it all. Lists are in the order in which the page has them, whatever the order on the disk. */
export async function readSpec(): Promise<SpecData> {
  const { cases, catalogue, bugs } = await loadSuite();
  const readme = readChapter("spec/README.md");
  const chapters = chapterFiles(readme).map(readChapter);
  return {
    readme,
    chapters,
    decisions: filesOf("spec/decisions", ".md").map(readChapter),
    terms: termsOf(chapters.find(({ file }) => file === "spec/glossary.md")!),
    catalogue,
    cases: cases.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    bugs: new Map(Object.entries(bugs) as [string, Bug][]),
    mutants: mutantsOf(textOf(matrixFile)),
    files: new Map([...dataFiles(), ...filesOf("schemas", ".schema.json")].map((path) => [path, textOf(path)])),
  };
}

/** A text, and its title. */
export function readChapter(file: string): Chapter {
  const [heading, ...body] = readMarkdown(textOf(file)).children ?? [];
  if (heading?.depth !== 1) throw new Error(`${file}: the first line must be its title, with one #`);
  return { file, title: plainText(heading), body };
}

/** The chapters in the order of the tables of contents, those of a document behind its first page. What the page has as lists is none. */
function chapterFiles(first: Chapter): string[] {
  const files = listedFiles(first).flatMap((file) =>
    file.endsWith("/README.md") ? [file, ...listedFiles(readChapter(file))] : [file],
  );
  return [...new Set(files)].filter((file) => !(file in lists));
}

/** What the tables of contents of a text list: the links in the first column of tables of chapters and documents. */
function listedFiles({ file, body }: Chapter): string[] {
  const rows = body.filter(({ type }) => type === "table").map(({ children = [] }) => children);
  return rows
    .filter(([heads]) => /^(chapter|document)$/.test(plainText(heads!.children![0]!)))
    .flatMap(([, ...own]) => own.flatMap(({ children: [cell] = [] }) => [...everyNode(cell!)]))
    .flatMap(({ url }) => (url === undefined ? [] : [posix.join(posix.dirname(file), url)]));
}

function termsOf({ body }: Chapter): Term[] {
  const [, ...rows] = body.find(({ type }) => type === "table")!.children!;
  return rows.map(({ children: [word, meaning, not] = [] }) => ({
    words: plainText(word!).split(", "),
    meaning: meaning!.children ?? [],
    not: not!.children ?? [],
  }));
}

function mutantsOf(matrix: string): Mutant[] {
  const rows = matrix.matchAll(/^\| ([A-Z]+-\d+) \| `([^`]+)` \| (.*) \| (.*) \|$/gm);
  return Array.from(rows, ([, requirement = "", id = "", seen = "", killers = ""]) => {
    const names = Array.from(killers.matchAll(/`([^`]+)`/g), ([, name]) => name!);
    return { requirement, id, seen: seen.replaceAll("\\|", "|"), killers: names };
  });
}

/** The tables of the spec as data, without those that the page shows in another form. */
function dataFiles(): string[] {
  const shown = ["requirements", "features", "parts", "topics", "examples", "where"].map((name) => `spec/${name}.json`);
  return filesOf("spec", ".json").filter((path) => !shown.includes(path));
}

function filesOf(folder: string, extension: string): string[] {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith(extension));
  return names.sort().map((name) => `${folder}/${name}`);
}

function textOf(path: string): string {
  return readFileSync(join(root, path), "utf8");
}
