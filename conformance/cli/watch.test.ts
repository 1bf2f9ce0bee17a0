// What a change touches, and that changes are heard of without asking for them.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Suite } from "../kit/index.ts";
import { foldersOf, touchedBy } from "./touched.ts";
import { Changes } from "./watch.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-loop-watch-"));
afterAll(() => rmSync(folder, { recursive: true }));

const folders = { cases: "/spec/cases", fixtures: "/spec/fixtures", drivers: ["/mine", "/spec"] };
const withRaw = (id: string, raw: string) => ({ id, file: `${id}.yaml`, case: { model: [{ raw }, { text: "x" }] } });
const suite = {
  cases: [
    withRaw("a/one", "openai-chat/weather"),
    withRaw("a/two", "openai-chat/weather#2"),
    withRaw("b/three", "x/y"),
  ],
} as unknown as Suite;

describe("a change", () => {
  it.each([
    ["a case touches itself", ["/spec/cases/b/three.yaml"], ["b/three"]],
    ["a new case, too", ["/spec/cases/b/new.yaml"], ["b/new"]],
    ["a fixture touches the cases that name it", ["/spec/fixtures/openai-chat/weather.json"], ["a/one", "a/two"]],
    [
      "a case that changed with its fixture is touched once",
      ["/spec/cases/a/one.yaml", "/spec/fixtures/openai-chat/weather.json"],
      ["a/one", "a/two"],
    ],
    ["a file of the driver touches everything", ["/spec/cases/a/one.yaml", "/mine/loop/turn.go"], "everything"],
    [
      "what building leaves beside a driver touches nothing",
      ["/mine/__pycache__/driver.pyc", "/mine/node_modules/x.js"],
      [],
    ],
    [
      "what the kit writes beside a driver touches nothing",
      ["/mine/agent-loop-progress.json", "/mine/.agent-loop-progress.json.12.unfinished"],
      [],
    ],
    ["a file that is no case touches nothing", ["/spec/cases/a/one.yaml~", "/elsewhere/a"], []],
  ])("of %s", (_, files, touched) => {
    expect(touchedBy(files, folders, suite)).toEqual(touched);
  });

  it("is looked for beside the agent-loop.json of a driver, or beside the files of its command", () => {
    mkdirSync(join(folder, "bin"));
    writeFileSync(join(folder, "bin/driver.py"), "");
    const command = { argv: ["python", "bin/driver.py", "--fast"] as [string, ...string[]], cwd: folder };
    expect(foldersOf({ name: "x", argument: "x", command })).toEqual([join(folder, "bin")]);
    expect(foldersOf({ name: "x", argument: "x", command: { argv: ["./driver"], cwd: folder } })).toEqual([folder]);
    const manifestFile = join(folder, "agent-loop.json");
    expect(foldersOf({ name: "x", argument: "x", command, manifestFile })).toEqual([folder]);
  });

  it("is heard of, with everything that changed at the same time", async () => {
    mkdirSync(join(folder, "deep/er"), { recursive: true });
    const changes = new Changes([folder]);
    try {
      const files = changes.next();
      writeFileSync(join(folder, "deep/er/one.yaml"), "1");
      writeFileSync(join(folder, "two.yaml"), "2");
      expect(await files).toEqual(expect.arrayContaining([join(folder, "deep/er/one.yaml"), join(folder, "two.yaml")]));
      const later = changes.next();
      writeFileSync(join(folder, "three.yaml"), "3");
      expect(await later).toEqual([join(folder, "three.yaml")]);
    } finally {
      changes.close();
    }
  });
});
