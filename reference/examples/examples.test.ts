// Every example runs, and prints what its README shows.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const folder = new URL("./", import.meta.url);
const readme = readFileSync(new URL("README.md", folder), "utf8");
const shown = new Map(
  [...readme.matchAll(/^## `(.+)`\n[^]*?```text\n([^]*?)```/gm)].map(([, name, output]) => [name!, output!]),
);
const examples = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));

describe("the examples", () => {
  it("are all in the README", () => {
    expect([...shown.keys()].sort()).toEqual(examples.sort());
  });

  it.each(examples)("%s prints what the README shows", (name) => {
    const printed = execFileSync(process.execPath, [name], { cwd: folder, encoding: "utf8" });
    expect(printed).toBe(shown.get(name));
  });
});
