// That `scan` finds keys however a fixture holds them, and that the project's own fixtures have none.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { scanFiles } from "./scan.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-loop-scan-"));
afterAll(() => rmSync(folder, { recursive: true }));
const output: string[] = [];
vi.spyOn(console, "log").mockImplementation((line: string) => void output.push(line));
afterEach(() => {
  output.length = 0;
  process.exitCode = 0;
});

/** A made-up key, put together so that no scanner takes it for a real one. */
const key = `sk-${"a1B2".repeat(8)}`;

function fixture(name: string, events: unknown[]): string {
  const exchanges = [
    { provider: "openai-chat", request: null, response: { status: 200, events: events.map((data) => ({ data })) } },
  ];
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify({ fixture: 1, origin: "crafted", why: "test", exchanges }, null, 2));
  return path;
}

test("finds a key with its line", async () => {
  await scanFiles([fixture("plain.json", [{ delta: key }])]);
  expect([process.exitCode, output[0]]).toEqual([1, expect.stringMatching(/plain\.json:\d+ an OpenAI key/)]);
});

test("finds a key that is split over events", async () => {
  await scanFiles([
    fixture(
      "split.json",
      [...key].map((delta) => ({ delta })),
    ),
  ]);
  expect([process.exitCode, output[0]]).toEqual([1, expect.stringMatching(/split or encoded in exchange 1/)]);
});

test("finds nothing in the project's own fixtures", async () => {
  await scanFiles(["fixtures"]);
  expect([process.exitCode, output]).toEqual([0, [expect.stringMatching(/^\d+ files, no secret found$/)]]);
});

test("refuses a path that is not there", async () => {
  await expect(scanFiles([join(folder, "nowhere")])).rejects.toThrow(/there is no file or folder/);
});
