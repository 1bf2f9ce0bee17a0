// `import` and `export-har` as a person meets them: what they write, what they say, and how they refuse.

import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateSync, gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { readFixture } from "../traffic/fixture/fixture-file.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const files = fileURLToPath(new URL("../traffic/formats/testing/", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agent-loop-import-"));
afterAll(() => rmSync(folder, { recursive: true }));

function run(...args: string[]): Promise<{ code: number; stderr: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, NO_COLOR: "1", MY_API_KEY: "Let me see." };
    execFile(process.execPath, [main, ...args], { env }, (error, _, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stderr });
    });
  });
}

describe.concurrent("import", () => {
  test.each([
    ["har", "browser.har", 2],
    ["vcr", "vcrpy.yaml", 2],
    ["vcr", "vcr-ruby.yml", 1],
  ])("makes a fixture of a file of %s (%s) [FIXTURE-4]", async (from, name, count) => {
    const out = join(folder, `${name}.json`);
    const { code, stderr } = await run("import", `${files}${name}`, "--from", from, "-o", out);
    expect([code, stderr]).toEqual([0, expect.stringContaining(`${out}: ${count} exchange`)]);
    expect(stderr).toMatch(/headers that no client acts upon are left out/);
    expect((await readFixture(out)).exchanges).toHaveLength(count);
  });

  test.each([
    ["zlib", deflateSync],
    ["gzip", gzipSync],
  ])("reads a cassette that is compressed with %s", async (name, compress) => {
    const file = join(folder, `${name}.zz`);
    writeFileSync(file, compress(readFileSync(`${files}vcr-ruby.yml`)));
    const out = join(folder, `${name}.json`);
    expect((await run("import", file, "-o", out)).code).toBe(0);
    expect((await readFixture(out)).exchanges.map(({ response }) => response.status)).toEqual([529]);
  });

  test.each([
    ["browser.har", 200],
    ["vcrpy.yaml", 200],
    ["vcr-ruby.yml", 529],
    ["vcr-ruby-binary.yml", 200],
    ["go-vcr.yaml", 200],
    ["vcr-r.yml", 429],
    ["pairs.json", 200],
    ["aimock.json", 429],
  ])("sees what %s is without being told", async (name, status) => {
    const out = join(folder, `seen-${name}.json`);
    expect((await run("import", `${files}${name}`, "--redact", "-o", out)).code).toBe(0);
    expect((await readFixture(out)).exchanges.map(({ response }) => response.status)).toContain(status);
  });

  test("writes nothing with a secret in it, unless it may replace it [RECORD-3]", async () => {
    const out = join(folder, "aimock.json");
    const args = ["import", `${files}aimock.json`, "--from", "aimock", "-o", out];
    const refused = await run(...args);
    expect([refused.code, refused.stderr, existsSync(out)]).toEqual([
      2,
      expect.stringMatching(/the value of MY_API_KEY was found in exchange 1/),
      false,
    ]);
    expect((await run(...args, "--redact")).code).toBe(0);
    expect(readFileSync(out, "utf8")).toContain("[redacted: the value of MY_API_KEY]");
  });

  test.each([
    [["nowhere.har"], /there is no file nowhere\.har/],
    [[`${files}vcrpy.yaml`, "--from", "har"], /expected an HTTP archive in JSON/],
    [[`${files}vcrpy.yaml`, "--from", "vcr", "--upstream", "Groq"], /expected --upstream name=url/],
    [["package.json"], /package\.json: it is none of the formats that are known/],
  ])("of %j is refused in words", async (args, message) => {
    const { code, stderr } = await run("import", ...args, "-o", join(folder, "none.json"));
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

test("export-har writes an archive that import reads back", async () => {
  const fixture = "fixtures/openai-chat/weather-loop.json";
  const [har, again] = [join(folder, "weather.har"), join(folder, "weather.json")];
  expect(await run("export-har", fixture, "-o", har)).toMatchObject({ code: 0, stderr: `${har} was written\n` });
  expect((await run("import", har, "--from", "har", "-o", again)).code).toBe(0);
  expect(await readFixture(again)).toEqual(await readFixture(fixture));
});
