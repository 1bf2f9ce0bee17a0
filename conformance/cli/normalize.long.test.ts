// `normalize` as a person meets it.

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agent-loop-normalize-"));
afterAll(() => rmSync(folder, { recursive: true }));

function normalize(...args: string[]) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [main, "normalize", ...args], (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

const response = { status: 200, headers: { date: "today", "content-type": "application/json" }, text: "{}" };
const fixture = { fixture: 1, origin: "crafted", why: "a test", exchanges: [{ request: null, response }] };

test("says what it changes, and changes it once", async () => {
  const file = join(folder, "f.json");
  const text = JSON.stringify(fixture);
  writeFileSync(file, text);
  const checked = await normalize(file, "--check");
  expect([checked.code, checked.stdout]).toEqual([
    1,
    `${file}: is not in its normal form (2 headers taken out, 1 body in a simpler form); run npx agent-loop-spec normalize ${file}\n`,
  ]);
  expect(readFileSync(file, "utf8")).toBe(text);
  const { code, stdout } = await normalize(file);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/2 headers taken out, .*; \d+ bytes instead of \d+\n$/)]);
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
    exchanges: [{ response: { status: 200, body: {} } }],
  });
  expect(await normalize(file, "--check")).toMatchObject({ code: 0, stdout: `${file}: is in its normal form\n` });
});

test("refuses what has two meanings, and leaves it", async () => {
  const file = join(folder, "two.json");
  const headers = { "retry-after": "1", "Retry-After": "2" };
  const text = JSON.stringify({ ...fixture, exchanges: [{ request: null, response: { ...response, headers } }] });
  writeFileSync(file, text);
  const { code, stderr } = await normalize(file);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/exchange 1 has the header retry-after twice/)]);
  expect(readFileSync(file, "utf8")).toBe(text);
  expect((await normalize("nowhere.json")).code).toBe(2);
});
