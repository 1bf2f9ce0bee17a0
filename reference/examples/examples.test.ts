// Every example runs, prints what its README shows, and is short.

import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const folder = fileURLToPath(new URL("./", import.meta.url));
const readme = readFileSync(`${folder}README.md`, "utf8");
const shown = new Map(
  [...readme.matchAll(/^## `(.+)`\n[^]*?```text\n([^]*?)```/gm)].map(([, name, output]) => [name!, output!]),
);
const examples = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
// Without its sources compiled anew each time, an example starts in half the time.
const env = { ...process.env, NODE_COMPILE_CACHE: fileURLToPath(new URL("../../.cache/node", import.meta.url)) };

describe("the examples", () => {
  it("are all in the README", () => {
    expect([...shown.keys()].sort()).toEqual(examples.sort());
  });

  it.concurrent.each(examples)("%s prints what the README shows", async (name) => {
    const { stdout } = await promisify(execFile)(process.execPath, [name], { cwd: folder, env });
    expect(stdout).toBe(shown.get(name));
  });

  it.each(examples)("%s has at most 25 lines of code, and a first line that says what it shows", (name) => {
    const lines = readFileSync(folder + name, "utf8").split("\n");
    expect(lines[0]).toMatch(/^\/\/ .*\.$/);
    expect(lines.filter((line) => !/^\s*(\/\/.*)?$/.test(line)).length).toBeLessThanOrEqual(25);
  });
});
