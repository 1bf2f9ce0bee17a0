// Folders are made one after another, and where none can be made that is said, soon.

import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { makeFolder } from "./make-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-loop-folders-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("makes those above it, for whom they are, and takes what is there", () => {
  makeFolder(join(folder, "a/b"), 0o700);
  makeFolder(join(folder, "a/b"));
  expect(statSync(join(folder, "a/b")).mode & 0o777).toBe(0o700);
});

it("ends where there can be none", () => {
  writeFileSync(join(folder, "file"), "");
  expect(() => makeFolder(join(folder, "file/a/b"))).toThrow(/ENOTDIR|EEXIST/);
});

it.runIf(process.platform === "linux")("ends where the file system takes none", () => {
  expect(() => makeFolder("/proc/agent-loop/a")).toThrow(/ENOENT|EPERM|EACCES/);
});
