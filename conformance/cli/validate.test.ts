// What `validate` says of an agent-loop.json and of a list of known failures, and of types that there are not.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { validateFiles } from "./validate.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-loop-validate-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = 0;
});

async function outputOf(name: string, text: string): Promise<string[]> {
  const file = join(folder, name);
  writeFileSync(file, text);
  const lines: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line.replace(`${folder}/`, "")));
  await validateFiles([file], {});
  return lines;
}

const manifest = { name: "mine", version: "1.0", command: ["./driver"] };

it.each([
  [manifest, "agent-loop.json: a valid manifest"],
  [{ ...manifest, command: "./driver" }, 'agent-loop.json#/command: expected array, got "./driver"'],
  [
    { ...manifest, profiles: ["core", "cancle"] },
    "agent-loop.json: declares the profile cancle, which does not exist; do you mean cancel?",
  ],
  [
    { ...manifest, known_failures: "none.yaml" },
    expect.stringMatching(/^agent-loop\.json: names .*none\.yaml as its known failures, and that file does not exist$/),
  ],
])("knows an agent-loop.json by its name: %j", async (value, line) => {
  expect(await outputOf("agent-loop.json", JSON.stringify(value))).toEqual([line]);
});

it.each([
  ["known.yaml", "known_failures: 1\nfailures: []\n", "known.yaml: a valid list of known failures"],
  ["known.json", '{"known_failures":1,"failures":[]}', "known.json: a valid list of known failures"],
  [
    "known.yaml",
    "known_failures: 1\nfailures:\n  - { check: x, code: stuck, reason: It hangs., expires: 2027-02-30 }\n",
    expect.stringMatching(/known\.yaml:3:\d+ .*there is no day 2027-02-30/),
  ],
])("knows a list of known failures by its first key: %s", async (name, text, line) => {
  expect(await outputOf(name, text)).toEqual([line]);
});

it("says which type may be meant", async () => {
  await expect(validateFiles(["x"], { type: "Session" })).rejects.toThrow(
    "--type Session is not known; do you mean session?",
  );
});
