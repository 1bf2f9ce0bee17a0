// What `eject` writes, and what it refuses to write.

import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readCatalogue } from "../kit/suite/catalogue.ts";
import { findDriver } from "../kit/driver/command.ts";
import { packagePath, packageRoot } from "../kit/base/package-root.ts";
import { specVersion } from "../kit/base/protocol.ts";
import { eject } from "./eject.ts";

const maxLinesOfDriver = 100;
const maxLinesOfPage = 50;
const folder = mkdtempSync(join(tmpdir(), "agent-loop-eject-"));
afterAll(() => rmSync(folder, { recursive: true }));

let printed: string[];
beforeEach(() => {
  printed = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void printed.push(line));
});
afterEach(() => vi.restoreAllMocks());

/** A new folder in which a tsconfig.json says this. */
function project(config?: string): string {
  const dir = mkdtempSync(join(folder, "project-"));
  if (config !== undefined) writeFileSync(join(dir, "tsconfig.json"), config);
  return dir;
}

const read = (...path: string[]) => readFileSync(join(...path), "utf8");
const lines = (text: string) => text.trimEnd().split("\n").length;

describe("the copy", () => {
  const dir = join(folder, "src/loop");
  beforeEach(() => {
    rmSync(dir, { recursive: true, force: true });
    eject(dir);
  });

  it("has the core as it is, without its tests", () => {
    const sources = readdirSync(packagePath("reference/core")).filter((name) => /(?<!\.test)\.ts$/.test(name));
    expect(readdirSync(join(dir, "core")).sort()).toEqual(sources.sort());
    const inCopy = (text: string) => text.replace('"../../schemas/types.ts"', '"../types.ts"');
    for (const name of sources)
      expect(read(dir, "core", name), name).toBe(inCopy(read(packagePath("reference/core", name))));
  });
  it("imports nothing that is not in it", () => {
    const written = readdirSync(dir, { recursive: true, encoding: "utf8" });
    for (const file of written.filter((name) => name.endsWith(".ts"))) {
      const imported = [...read(dir, file).matchAll(/ from "([^"]+)"/g)].map(([, from]) => join(file, "..", from!));
      expect(
        imported.filter((from) => !written.includes(from)),
        file,
      ).toEqual([]);
    }
  });
  it("has the licence, the versions, and commands to check it", () => {
    const { version } = JSON.parse(read(packagePath("package.json"))) as { version: string };
    const readme = read(dir, "README.md");
    expect(read(dir, "LICENSE")).toBe(read(packagePath("LICENSE")));
    expect(readme).toContain(
      `Copied from agent-loop-spec ${version}, which implements Agent Loop Spec ${specVersion}.`,
    );
    expect(readme).toContain(`npx agent-loop-spec test --driver ${dir}\n`);
    expect(readme).not.toMatch(/\{\{|undefined/);
    expect(lines(readme)).toBeLessThanOrEqual(maxLinesOfPage);
    expect(findDriver(dir).manifest).toMatchObject({ version, language: "typescript", profiles: ["core"] });
  });
  it("names only what there is", () => {
    const { requirements } = readCatalogue(packageRoot());
    const written = readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((name) =>
      /\.(ts|mjs|md)$/.test(name),
    );
    for (const name of written) {
      const named = [...read(dir, name).matchAll(/\b[A-Z]{3,}-\d+\b/g)]
        .map(([id]) => id)
        .filter((id) => id !== "UTF-8");
      expect(
        named.filter((id) => !requirements.has(id)),
        name,
      ).toEqual([]);
    }
  });
  it(`has a driver of at most ${maxLinesOfDriver} lines`, () => {
    expect(lines(read(dir, "driver.mjs"))).toBeLessThanOrEqual(maxLinesOfDriver);
  });
  it("has no types that only the kit needs", () => {
    expect(read(dir, "types.ts")).toMatch(/^export interface Snapshot /m);
    expect(read(dir, "types.ts")).not.toMatch(/^export (?:type|interface) (?:Case|InitializeResult|Fixture) /m);
  });
  it("is told with what to do next", () => {
    expect(printed).toContain(`wrote ${join(dir, "core/agent-loop.ts")}`);
    expect(printed.join("\n")).toContain(`npx agent-loop-spec test --driver ${dir}`);
  });
});

it("writes imports that end as the options say, or as the project does", () => {
  const dir = project("{}");
  eject(join(dir, "ts"), { imports: "ts" });
  eject(join(dir, "as-the-project"));
  expect(read(dir, "ts/run.ts")).toContain('from "./core/agent-loop.ts"');
  expect(read(dir, "as-the-project/run.ts")).toContain('from "./core/agent-loop.js"');
  expect(read(dir, "as-the-project/run.ts")).not.toContain('.ts"');
  expect(() => eject(join(dir, "mjs"), { imports: "mjs" })).toThrow(/--imports mjs is no ending of imports; choose ts/);
});

describe("a folder is refused", () => {
  it("that has something in it, and then nothing is written", () => {
    const dir = project();
    writeFileSync(join(dir, ".env"), "mine");
    expect(() => eject(dir)).toThrow(/is not empty: it has \.env, and nothing is overwritten; name another folder$/);
    expect(readdirSync(dir)).toEqual([".env"]);
  });
  it("that is a file, or below one", () => {
    const file = join(project(), "loop");
    writeFileSync(file, "mine");
    expect(() => eject(file)).toThrow(/loop is a file; name a folder that is new or empty$/);
    expect(() => eject(join(file, "src"))).toThrow(/src cannot be written: ENOTDIR: .*; name another folder$/);
    expect(read(file)).toBe("mine");
  });
  it("that cannot be looked into", () => {
    const loop = join(project(), "loop");
    symlinkSync(loop, loop);
    expect(() => eject(loop)).toThrow(/loop cannot be written: ELOOP: .*; name another folder$/);
  });
  it("that has no name: it is the one that is worked in", () => {
    expect(() => eject("")).toThrow(/^\. is not empty: /);
  });
  it("but not one that is empty", () => {
    const dir = join(project(), "loop");
    mkdirSync(dir);
    eject(dir);
    expect(readdirSync(dir)).toContain("run.ts");
  });
});
