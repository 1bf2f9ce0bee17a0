// What `init` writes, and what it refuses to write.

import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readCatalogue } from "../kit/suite/catalogue.ts";
import type { InitializeResult, Manifest } from "../../schemas/types.ts";
import { wrongIntroduction } from "../kit/driver/check-handshake.ts";
import { packagePath, packageRoot } from "../kit/base/package-root.ts";
import { driverNotifications, driverRequests, kitRequests } from "../kit/base/protocol.ts";
import { schemaRefs } from "../kit/base/schema-refs.ts";
import { validate } from "../kit/base/validate.ts";
import { init } from "./init.ts";
import { frameworkLanguages, languages } from "./shared/skeleton.ts";
import { firstLoops } from "./testing/first-loops.ts";

const maxLines = 100;
const folder = mkdtempSync(join(tmpdir(), "agent-loop-init-"));
afterAll(() => rmSync(folder, { recursive: true }));

let printed: string[];
beforeEach(() => {
  printed = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void printed.push(line));
});
afterEach(() => vi.restoreAllMocks());

describe.each(languages())("the skeleton in %s", (lang) => {
  it("says how it is started, and what to do next", () => {
    const dir = join(folder, lang);
    init({ lang, dir });
    const manifest: unknown = JSON.parse(readFileSync(join(dir, "agent-loop.json"), "utf8"));
    expect(validate("Manifest", manifest)).toEqual([]);
    expect(manifest).toMatchObject({ name: "my-loop", language: lang });
    expect(printed).toContain(`wrote ${join(dir, "agent-loop.json")}`);
    expect(printed.join("\n")).toContain(`driver check --driver ${dir}`);
  });
  it(`has at most ${maxLines} lines, with the way to run it`, () => {
    const { file } = firstLoops[lang]!;
    const text = readFileSync(packagePath("conformance/templates", lang, file), "utf8");
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(maxLines);
    expect(text).toContain("npx agent-loop-spec driver check --driver .");
  });
  it("names only what there is", () => {
    const { requirements } = readCatalogue(packageRoot());
    const text = readFileSync(packagePath("conformance/templates", lang, firstLoops[lang]!.file), "utf8");
    const named = [...text.matchAll(/\b[A-Z]+-\d+\b/g)].map(([id]) => id).filter((id) => id !== "UTF-8");
    expect(named.filter((id) => !requirements.has(id))).toEqual([]);
    for (const [file] of text.matchAll(/\b(?:spec|schemas)\/[\w.-]+\.(?:md|json)\b/g))
      expect(() => readFileSync(packagePath(file)), file).not.toThrow();
  });
});

describe.each(frameworkLanguages())("the driver for a framework in %s", (lang) => {
  const dir = join(folder, `framework-${lang}`);
  it("says how it is started, what it needs, and what to do next", () => {
    init({ lang, dir, for: "framework" });
    const manifest: unknown = JSON.parse(readFileSync(join(dir, "agent-loop.json"), "utf8"));
    expect(validate("Manifest", manifest)).toEqual([]);
    expect(manifest).toMatchObject({ name: "my-framework", language: lang });
    expect(printed.join("\n")).toMatch(/its packages: .*install/);
    expect(printed.join("\n")).toContain(`driver check --driver ${dir}`);
  });
  it("names only what there is, and offers every verb", () => {
    const { requirements } = readCatalogue(packageRoot());
    const text = readdirSync(dir)
      .map((file) => readFileSync(join(dir, file), "utf8"))
      .join("\n");
    const named = [...text.matchAll(/\b[A-Z]+-\d+\b/g)].map(([id]) => id);
    expect(named.filter((id) => !requirements.has(id))).toEqual([]);
    expect(text).toMatch(/"?verbs"?: \["after", "cancel", "limit"\]/);
  });
});

it("has no driver for anything but a framework, and only in two languages", () => {
  const dir = join(folder, "nothing");
  expect(() => init({ lang: "python", dir, for: "fun" })).toThrow(/--for fun is nothing .*; expected framework/);
  expect(() => init({ lang: "go", dir, for: "framework" })).toThrow(/no driver in go; .*python, typescript/);
});

describe("the skeleton in words", () => {
  const dir = join(folder, "other");
  const text = readFileSync(packagePath("conformance/templates/other/driver.txt"), "utf8");
  it("is introduced by its agent-loop.json as it introduces itself", () => {
    init({ lang: "other", dir });
    const manifest = JSON.parse(readFileSync(join(dir, "agent-loop.json"), "utf8")) as Manifest;
    expect(validate("Manifest", manifest)).toEqual([]);
    const introduction = JSON.parse(/^INITIALIZE =\n(\s+\{[^]*?^ {4}\})$/m.exec(text)![1]!) as InitializeResult;
    expect(validate("InitializeResult", introduction)).toEqual([]);
    expect(wrongIntroduction(introduction, readCatalogue(packageRoot()), manifest)).toBeUndefined();
  });
  it(`has at most ${maxLines} lines, and names only messages, files and types that there are`, () => {
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(maxLines);
    const methods = Object.keys({ ...kitRequests, ...driverRequests, ...driverNotifications });
    const named = [...text.matchAll(/"([a-z]+\/[a-z]+|initialize|run|shutdown|event)"(?!: (?:params|\{))/g)];
    expect(named.map(([, method]) => method!).filter((method) => !methods.includes(method))).toEqual([]);
    expect(named.length).toBeGreaterThan(5);
    for (const [file] of text.matchAll(/\bspec\/[\w/-]+\.md\b/g))
      expect(() => readFileSync(packagePath(file)), file).not.toThrow();
    for (const [, type] of text.matchAll(/(?:explain|a) (Run[A-Z]\w+)/g)) expect(schemaRefs).toHaveProperty(type!);
  });
});
it("overwrites nothing, and then writes nothing", () => {
  const dir = mkdtempSync(join(folder, "full-"));
  writeFileSync(join(dir, "driver.py"), "mine");
  expect(() => init({ lang: "python", dir })).toThrow(
    /driver\.py exists, and is not overwritten; choose another folder/,
  );
  expect(readdirSync(dir)).toEqual(["driver.py"]);
  expect(readFileSync(join(dir, "driver.py"), "utf8")).toBe("mine");
});
it("says so where the folder is a file", () => {
  writeFileSync(join(folder, "file"), "");
  expect(() => init({ lang: "python", dir: join(folder, "file") })).toThrow(
    /nothing can be written into .*file; choose another folder/,
  );
});

it("names the languages that it has", () => {
  expect(() => init({ lang: "cobol", dir: folder })).toThrow(
    /--lang cobol has no skeleton; known: go, python, rust, typescript\nFor any other language .* init --lang other$/,
  );
  expect(() => init({ lang: "py", dir: folder })).toThrow(/--lang py has no skeleton; do you mean python\?/);
  expect(() => init({ dir: folder })).toThrow(/--lang is missing: .*one of go, python, rust, typescript, or other/);
});
