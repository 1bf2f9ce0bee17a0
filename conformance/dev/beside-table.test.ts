// The comparison is whole: every program has a row, every library a program or a word about it, and ours is the shortest or says why not.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { besideTable, comparedRows, libraries, linesOf, type Library } from "./beside-table.ts";
import { root } from "./schema-files.ts";

const rows = Object.entries(comparedRows());
const others = (Object.keys(libraries) as Library[]).filter((library) => library !== "agent-loop");

it.each(rows)("%s: ours is the shortest, or the row says why not", (row, { longer }) => {
  const ours = linesOf(row, "agent-loop")!;
  const shortest = Math.min(...others.flatMap((library) => linesOf(row, library) ?? []));
  expect({ row, ours, isShortest: ours <= shortest }).toEqual({ row, ours, isShortest: longer === undefined });
});

it.each(rows)("%s: each library has a program, or a word about what is done there", (row, { without = {} }) => {
  for (const library of others) {
    const has = linesOf(row, library) !== undefined;
    expect({ library, has }).toEqual({ library, has: without[library] === undefined });
  }
});

it("every program stands in the table", () => {
  const programs = readdirSync(join(root, "reference/beside")).filter((file) => /\..*\.ts$/.test(file));
  const table = besideTable();
  expect(programs.length).toBeGreaterThan(30);
  expect(programs.filter((file) => !table.includes(`](${file})`))).toEqual([]);
});
