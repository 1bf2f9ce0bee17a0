// What a change touches.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Suite } from "../../kit/index.ts";
import { foldersOf, touchedBy } from "./touched.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-loop-watch-"));
afterAll(() => rmSync(folder, { recursive: true }));

const folders = {
  cases: "/spec/cases",
  fixtures: "/spec/fixtures",
  drivers: ["/mine", "/spec"],
  written: ["/mine/report.html"],
};
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
    ["a report that the run writes touches nothing", ["/mine/report.html", "/mine/.report.html.12.unfinished"], []],
    [
      "what an editor keeps beside a file touches nothing",
      ["/mine/loop/.turn.go.swp", "/mine/turn.go~", "/mine/.#turn.go", "/mine/4913"],
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
});
