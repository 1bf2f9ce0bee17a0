// The core stays small, and stays apart.

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const folder = new URL("./", import.meta.url);
const sources = new Map(
  readdirSync(folder)
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => [name, readFileSync(new URL(name, folder), "utf8")]),
);
const TYPES_AND_DATA = ["ports.ts", "result-texts.ts", "stop-table.ts", "usage.ts"];

const codeLines = (source: string) => source.split("\n").filter((line) => !/^\s*(\/\/|\/?\*|$)/.test(line)).length;
const occurrences = (pattern: RegExp) =>
  [...sources].flatMap(([name, source]) => [...source.matchAll(pattern)].map(() => name));

describe("the core", () => {
  it("has at most 300 lines of code, types and table data aside", () => {
    const code = [...sources].filter(([name]) => !TYPES_AND_DATA.includes(name));
    const lines = code.reduce((sum, [, source]) => sum + codeLines(source), 0);
    expect(lines).toBeLessThanOrEqual(300);
  });

  it("calls the model in one place and a tool in one place", () => {
    expect(occurrences(/\.invokeModel\(/g)).toEqual(["agent-loop.ts"]);
    expect(occurrences(/\.executeTool\(/g)).toEqual(["execute-tool-calls.ts"]);
  });

  it("asks each of the other points in one place", () => {
    for (const point of ["boundary", "decide", "execute", "settle"]) {
      expect(occurrences(new RegExp(`ports\\.${point}\\(`, "g")), point).toHaveLength(1);
    }
  });

  it("imports only itself and the generated types", () => {
    const imported = [...sources.values()].flatMap((source) =>
      [...source.matchAll(/from "([^"]+)"/g)].map(([, from]) => from),
    );
    expect(imported.filter((from) => !/^(\.\/[a-z-]+|\.\.\/\.\.\/schemas\/types)\.ts$/.test(from!))).toEqual([]);
  });
});
