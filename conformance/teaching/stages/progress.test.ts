// The file of the progress: what a run changes in it, and what it refuses to read.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { StageScore } from "../../../schemas/types.ts";
import { findDriver } from "../../kit/driver/command.ts";
import { folderOf, progressAfter, progressFile, progressText, readProgress } from "./progress.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-loop-progress-"));
afterAll(() => rmSync(folder, { recursive: true }));

const score = (name: string, is_passed: boolean): StageScore => ({
  stage: 1,
  name,
  title: name,
  is_passed,
  passed: 0,
  of: 1,
});

describe("the progress", () => {
  it("of a folder without the file is nothing", () => {
    expect(readProgress(folder)).toEqual({ progress: 1, passed: {}, hints: {} });
  });
  it("has what the last run passed, since when it did, and nothing that failed in it", () => {
    const before = { progress: 1, passed: { a: "monday", b: "monday", d: "monday" }, hints: { a: 2 } } as const;
    const after = progressAfter(before, [score("a", true), score("b", false), score("c", true)], "tuesday");
    expect(after).toEqual({ progress: 1, passed: { a: "monday", c: "tuesday", d: "monday" }, hints: { a: 2 } });
    expect(before.passed.b).toBe("monday");
  });
  it("is read as it was written", () => {
    const own = mkdtempSync(join(folder, "own-"));
    const progress = { progress: 1, passed: { a: "monday" }, hints: { a: 1 } } as const;
    writeFileSync(join(own, progressFile), progressText(progress));
    expect(readProgress(own)).toEqual(progress);
  });
  it.each([
    ["no JSON", "{", /agent-loop-progress\.json is not JSON: .*; mend or remove it/],
    ["another version", '{"progress":2,"passed":{},"hints":{}}', /\/progress: expected 1, got 2; mend or remove it/],
  ])("is refused where it is %s", (_, text, message) => {
    const own = mkdtempSync(join(folder, "own-"));
    writeFileSync(join(own, progressFile), text);
    expect(() => readProgress(own)).toThrow(message);
  });
});

describe("the folder of a driver", () => {
  it("is that of its agent-loop.json", () => {
    writeFileSync(join(folder, "agent-loop.json"), '{"name":"l","version":"1","command":["true"]}');
    expect(folderOf(findDriver(folder))).toBe(folder);
  });
  it("is none for a driver of the package, and for a command", () => {
    expect(folderOf(findDriver("reference"))).toBeUndefined();
    expect(folderOf(findDriver(`${process.execPath} driver.js`))).toBeUndefined();
  });
});
