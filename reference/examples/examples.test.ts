// Every example is in the README, and is short. examples.long.test.ts compares its output, in a process per example.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

describe.each([
  ["./", 25],
  ["./plug-ins/", 32], // a plug-in, and a run that uses it
  ["./durable/", 40], // a whole program: a model, a tool, and what a worker does
])("the examples in %s", (path, most) => {
  const folder = fileURLToPath(new URL(path, import.meta.url));
  const readme = readFileSync(`${folder}README.md`, "utf8");
  const shown = [...readme.matchAll(/^## `(.+)`$/gm)].map(([, name]) => name!);
  const examples = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));

  it("are all in the README", () => {
    expect(shown.sort()).toEqual(examples.sort());
  });

  it.each(examples)("%s is short, and a first line that says what it shows", (name) => {
    const lines = readFileSync(folder + name, "utf8").split("\n");
    expect(lines[0]).toMatch(/^\/\/ .*\.$/);
    expect(lines.filter((line) => !/^\s*(\/\/.*)?$/.test(line)).length).toBeLessThanOrEqual(most);
  });
});
