// That changes are heard of without asking for them, however an editor makes them.

import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Changes } from "./changes.ts";

let root = "";
let folder = "";
let changes: Changes;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "agent-loop-changes-"));
  folder = join(root, "mine");
  write("deep/er/one.yaml");
  write("built/by/one.yaml");
  changes = new Changes([folder], (path) => path.endsWith("built"));
});

afterEach(() => {
  changes.close();
  rmSync(root, { recursive: true });
});

function write(file: string): void {
  mkdirSync(join(folder, file, ".."), { recursive: true });
  writeFileSync(join(folder, file), "x");
}

/** The changes that something makes, as names below the folder. */
async function changesAfter(make: () => void): Promise<string[]> {
  const files = changes.next();
  make();
  return (await files).map((file) => file.slice(folder.length + 1));
}

/** As many editors save: another file is written, and takes the name. */
function replace(file: string): void {
  writeFileSync(join(root, "other"), "y");
  renameSync(join(root, "other"), join(folder, file));
}

it("everything that changed at the same time is told at once, and only once", async () => {
  const both = ["deep/er/one.yaml", "two.yaml"];
  expect(await changesAfter(() => both.forEach(write))).toEqual(expect.arrayContaining(both));
  expect(await changesAfter(() => write("three.yaml"))).toEqual(["three.yaml"]);
});

it("a file that is replaced again and again is heard of each time", async () => {
  for (let times = 0; times < 3; times++)
    expect(await changesAfter(() => replace("deep/er/one.yaml"))).toEqual(["deep/er/one.yaml"]);
  expect(await changesAfter(() => write("deep/er/one.yaml"))).toEqual(["deep/er/one.yaml"]);
});

it("a folder that comes later is heard of with its files", async () => {
  expect(await changesAfter(() => write("new/est/two.yaml"))).toContain("new/est/two.yaml");
  expect(await changesAfter(() => write("new/est/two.yaml"))).toEqual(["new/est/two.yaml"]);
});

it("a folder that is taken away and comes back is heard of as before", async () => {
  await changesAfter(() => rmSync(join(folder, "deep"), { recursive: true }));
  await changesAfter(() => write("deep/er/one.yaml"));
  expect(await changesAfter(() => write("deep/er/one.yaml"))).toEqual(["deep/er/one.yaml"]);
});

it("the folder itself may be moved away and come back", async () => {
  await changesAfter(() => renameSync(folder, join(root, "aside")));
  expect(await changesAfter(() => renameSync(join(root, "aside"), folder))).toContain("deep/er/one.yaml");
  expect(await changesAfter(() => write("deep/er/one.yaml"))).toEqual(["deep/er/one.yaml"]);
});

it("what is left out is not heard of", async () => {
  expect(
    await changesAfter(() => {
      write("built/by/one.yaml");
      write("two.yaml");
    }),
  ).toEqual(["two.yaml"]);
});
