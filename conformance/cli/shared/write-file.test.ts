// A file of a report is there whole, or as it was before.

import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UsageError } from "../../kit/base/usage-error.ts";
import { prepareFile, writeWhole } from "./write-file.ts";

let folder = "";
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "agent-loop-write-"))));
afterEach(() => rmSync(folder, { recursive: true }));

describe("writeWhole", () => {
  it("makes the folders, and leaves nothing beside the file", () => {
    const path = join(folder, "a/b/report.xml");
    writeWhole(path, "one");
    writeWhole(path, "two");
    expect(readFileSync(path, "utf8")).toBe("two");
    expect(readdirSync(join(folder, "a/b"))).toEqual(["report.xml"]);
  });
  it("leaves what was there where the new one cannot be put in its place [REPORT-6]", () => {
    const path = join(folder, "there");
    mkdirSync(path);
    writeFileSync(join(path, "inside"), "kept");
    expect(() => writeWhole(path, "new")).toThrow(UsageError);
    expect(readFileSync(join(path, "inside"), "utf8")).toBe("kept");
    expect(readdirSync(folder)).toEqual(["there"]);
  });
  it("never shows half of a file: it is another file, put in the place of the old one [REPORT-6]", () => {
    const path = join(folder, "report.json");
    writeFileSync(path, "old");
    const before = lstatSync(path).ino;
    writeWhole(path, "new");
    expect(lstatSync(path).ino).not.toBe(before);
  });
  it("writes where a link leads, and leaves the link", () => {
    writeFileSync(join(folder, "target"), "old");
    symlinkSync(join(folder, "target"), join(folder, "link"));
    writeWhole(join(folder, "link"), "new");
    expect(lstatSync(join(folder, "link")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, "target"), "utf8")).toBe("new");
  });
  it("writes into what is no file, such as a device, instead of putting a file there", () => {
    writeWhole("/dev/null", "gone");
    expect(lstatSync("/dev/null").isCharacterDevice()).toBe(true);
  });
});

describe("prepareFile", () => {
  it("says before the work that a file cannot be written", () => {
    expect(() => prepareFile(folder)).toThrow(/cannot be written: it is a folder/);
    writeFileSync(join(folder, "file"), "");
    expect(() => prepareFile(join(folder, "file/report.xml"))).toThrow(UsageError);
    prepareFile(join(folder, "new/report.xml"));
    expect(readdirSync(join(folder, "new"))).toEqual([]);
  });
  it("takes away what an earlier run wrote, but no link", () => {
    writeFileSync(join(folder, "report.xml"), "all green");
    symlinkSync(join(folder, "elsewhere"), join(folder, "link"));
    for (const name of ["report.xml", "link"]) prepareFile(join(folder, name));
    expect(readdirSync(folder)).toEqual(["link"]);
  });
});
