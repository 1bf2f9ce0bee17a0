// Explains a chapter of the spec, by the name of its file or what its requirements begin with: its sentences and tables, in order.

import { readFileSync } from "node:fs";
import { packagePath } from "../../kit/base/package-root.ts";
import type { Requirement } from "../../kit/suite/catalogue.ts";
import { counted } from "../../kit/base/plural.ts";
import { shownPath } from "../../kit/base/display-path.ts";
import type { Kind, Sources } from "./kind.ts";
import { requirementLine } from "./lists.ts";
import { tablesIn, withoutLinks } from "./spec-tables.ts";
import { tableLines } from "./table-lines.ts";

/** Rows of a table; one that is longer is cut, unless everything is shown. */
const maxRows = 24;

export const chapterKind: Kind = {
  called: "a chapter",
  names: (sources) => new Set(all(sources).flatMap(({ id, file }) => [prefixOf(id), nameOf(file)])),
  *explain(name, sources) {
    const own = all(sources).filter(({ id, file }) => prefixOf(id) === name || nameOf(file) === name);
    const [{ file }] = own as [Requirement];
    const lines = readFileSync(packagePath(file), "utf8").split("\n");
    yield `${name}, a chapter  ${firstSentence(lines)}`;
    yield `  ${shownPath(packagePath(file))}, ${counted(own.length, "requirement")}`;
    yield* contents(lines, own, sources);
  },
};

/** The first sentence below the title. */
function firstSentence([, ...lines]: readonly string[]): string {
  const begin = lines.findIndex((line) => /^[A-Z]/.test(line));
  const end = lines.indexOf("", begin);
  return withoutLinks(lines.slice(begin, end).join(" ")).split(/(?<=\.) (?=[A-Z])/)[0]!;
}

/** The requirements and tables, each heading before the first that stands below it. */
function* contents(
  lines: readonly string[],
  requirements: readonly Requirement[],
  sources: Sources,
): Generator<string> {
  const sentences = new Map(requirements.map((requirement) => [requirement.line, requirement]));
  const tables = new Map(tablesIn(lines).map(({ line, rows }) => [line, rows]));
  let heading = "";
  for (const [at, text] of lines.entries()) {
    const requirement = sentences.get(at + 1);
    const table = tables.get(at + 1);
    if (/^#+ /.test(text)) heading = text.replace(/^#+ /, "");
    if (!requirement && !table) continue;
    if (heading !== "") yield* ["", `  ${heading}:`];
    heading = "";
    if (requirement) yield `    ${requirementLine(requirement)}`;
    if (table) yield* ["", ...shortened(table, sources), ""];
  }
}

function shortened(rows: readonly string[][], { isFull }: Sources): string[] {
  const more = isFull ? 0 : rows.length - 1 - maxRows;
  if (more <= 0) return tableLines(rows, "      ");
  return [...tableLines(rows.slice(0, 1 + maxRows), "      "), `      … and ${counted(more, "row")} more, see --full`];
}

function all({ suite }: Sources): Requirement[] {
  return [...suite.catalogue.requirements.values()];
}

function prefixOf(id: string): string {
  return id.replace(/-\d+$/, "");
}

function nameOf(file: string): string {
  return file.replace(/^.*\//, "").replace(/\.md$/, "");
}
