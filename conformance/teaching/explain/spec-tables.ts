// Reads the tables of the spec, because they say what words such as `cancelled` mean, and what a sentence above them leaves to them.

import { readFileSync } from "node:fs";
import { packagePath } from "../../kit/base/package-root.ts";

/** A row of a table: each cell under the head of its column. */
export type TableRow = Map<string, string>;

/** A table of a chapter, by the word in its first column. */
export type SpecTable = Map<string, TableRow>;

/** A table as it stands in its file. */
export interface PlacedTable {
  /** Of its heads, from 1. */
  line: number;
  /** Its heads, and then its rows. */
  rows: string[][];
}

/**
 * Every table of a chapter whose first column has this head, as one.
 * @param chapter a file of spec/, without `.md`
 */
export function tableOf(chapter: string, head: string): SpecTable {
  const table: SpecTable = new Map();
  for (const [heads, ...rows] of tablesHeaded(chapter, head)) {
    const columns = heads!.slice(1);
    for (const [word = "", ...cells] of rows)
      table.set(
        word.replaceAll("`", ""),
        new Map(cells.flatMap((cell, at) => (cell === "" ? [] : [[columns[at]!, cell] as const]))),
      );
  }
  return table;
}

/** The same tables, each by itself. */
export function tablesHeaded(chapter: string, head: string): string[][][] {
  const tables = tablesIn(readFileSync(packagePath("spec", `${chapter}.md`), "utf8").split("\n"));
  return tables.map(({ rows }) => rows).filter(([heads]) => heads![0] === head);
}

/** The tables of a markdown text. */
export function tablesIn(lines: readonly string[]): PlacedTable[] {
  const tables: PlacedTable[] = [];
  let open: PlacedTable | undefined;
  for (const [at, line] of lines.entries()) {
    if (!line.startsWith("|")) open = undefined;
    else if (open === undefined) tables.push((open = { line: at + 1, rows: [cellsOf(line)] }));
    else if (!/^\|[-|]+\|$/.test(line)) open.rows.push(cellsOf(line));
  }
  return tables;
}

function cellsOf(line: string): string[] {
  const cells = line.slice(1, -1).split(/(?<!\\)\|/);
  return cells.map((cell) => withoutLinks(cell.replaceAll("\\|", "|").trim()));
}

/** Links become their text: what is explained is read in a terminal. */
export function withoutLinks(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}
