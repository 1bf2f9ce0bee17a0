// Finds the tables that a requirement leaves something to, because its sentence says nothing without them.

import { existsSync, readFileSync } from "node:fs";
import type { Requirement } from "../../kit/suite/catalogue.ts";
import { codecs } from "../../kit/wire/codecs.ts";
import { packagePath } from "../../kit/base/package-root.ts";
import { tableLines } from "./table-lines.ts";
import { tablesHeaded, tablesIn } from "./spec-tables.ts";
import type { PlacedTable } from "./spec-tables.ts";

/** Where the tables are that stand in another chapter than the sentence: the chapter, and the head of the first column. */
const elsewhere: Record<string, readonly (readonly [chapter: string, head: string])[]> = {
  "PROVIDER-16": Object.values(codecs)
    .filter(({ provider }) => existsSync(packagePath("spec", `loop/providers/${provider}.md`)))
    .map(({ provider, traffic }) => [`loop/providers/${provider}`, traffic.endingsHead] as const),
  "PROVIDER-21": [["loop/results", "kind"]],
};

/** A chapter has many requirements. */
const read = new Map<string, { text: string; lines: string[]; tables: PlacedTable[] }>();

/** The lines and the tables of a chapter, as it is now. */
function chapterIn(file: string): { lines: readonly string[]; tables: readonly PlacedTable[] } {
  const text = readFileSync(packagePath(file), "utf8");
  const known = read.get(file);
  if (known?.text === text) return known;
  const lines = text.split("\n");
  const chapter = { text, lines, tables: tablesIn(lines) };
  read.set(file, chapter);
  return chapter;
}

/** The tables as lines of text, with a blank line before and after each. */
export function requirementTables(requirement: Requirement, indent: string): string[] {
  return tablesOf(requirement).flatMap((rows) => ["", ...tableLines(rows, indent), ""]);
}

/** The table that follows the requirement; or else the one above it, if its sentence speaks of one. */
function tablesOf({ id, text, file, line }: Requirement): string[][][] {
  const other = elsewhere[id];
  if (other !== undefined) return other.flatMap((place) => tablesHeaded(...place));
  const { lines, tables } = chapterIn(file);
  const end = lines.indexOf("", line);
  const isNext = (at: number) => lines.slice(end, at - 1).every((between) => /^(<!--.*)?$/.test(between));
  const own = tables.find((table) => table.line > line && isNext(table.line));
  const meant =
    own ?? (/\b(the|this) table\b|\bfirst row\b/.test(text) ? tables.findLast((one) => one.line < line) : undefined);
  return meant === undefined ? [] : [meant.rows];
}
