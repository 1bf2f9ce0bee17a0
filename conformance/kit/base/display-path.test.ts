// A file of the package is named so that it can be opened from wherever the command runs.

import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { packagePath, packageRoot } from "./package-root.ts";
import { shownPath } from "./display-path.ts";

const file = packagePath("spec", "loop", "loop.md");
afterEach(() => vi.restoreAllMocks());

it.each([
  ["the package", packageRoot(), join("spec", "loop", "loop.md")],
  ["a folder around the package", join(packageRoot(), ".."), file.slice(join(packageRoot(), "..").length + 1)],
  ["a folder of the package beside the file", packagePath("schemas"), file],
  ["another folder", join(packageRoot(), "..", "loop"), file],
])("from %s", (_, cwd, shown) => {
  vi.spyOn(process, "cwd").mockReturnValue(cwd);
  expect(shownPath(file)).toBe(shown);
});

it("the current folder, and what only looks as if it were above or below it", () => {
  expect(shownPath(process.cwd())).toBe(".");
  expect(shownPath(join(process.cwd(), "..loop", "a"))).toBe(join("..loop", "a"));
  // A folder whose name only begins with the name of the current one is beside it.
  const beside = join(`${process.cwd()}-two`, "a");
  expect(shownPath(beside)).toBe(beside);
});
