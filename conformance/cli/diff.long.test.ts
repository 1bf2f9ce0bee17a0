// That `diff` says what differs between two fixtures, and nothing about what only looks otherwise.

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agent-loop-diff-"));
afterAll(() => rmSync(folder, { recursive: true }));

function diff(one: string, other: string) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const argv = [join(root, "conformance/cli/main.ts"), "diff", one, other];
    execFile(process.execPath, argv, { cwd: root }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

/** A copy of a fixture in which one text stands in place of another. */
function changed(name: string, from: string, to: string): string {
  const text = readFileSync(join(root, name), "utf8");
  expect(text).toContain(from);
  const path = join(folder, `${to.replaceAll(/\W/g, "")}.json`);
  writeFileSync(path, text.replaceAll(from, to));
  return path;
}

describe.concurrent("diff", () => {
  const loop = "fixtures/anthropic-messages/weather-loop.json";

  test("says nothing of other ids, nor of how answers came", async () => {
    const other = changed(loop, "toolu_1", "toolu_9");
    const { code, stdout } = await diff(loop, other);
    expect([code, stdout]).toEqual([0, expect.stringContaining("say the same, in 2 exchanges")]);
    expect((await diff(loop, "fixtures/anthropic-messages/weather-loop-streamed.json")).code).toBe(0);
  });

  test("names the exchange and the place of what differs", async () => {
    const { code, stdout } = await diff(loop, changed(loop, "24 °C", "25 °C"));
    expect(code).toBe(1);
    expect(stdout).toMatch(/^exchange 2\n {2}\/request\/messages\/6\/output\n {4}- "24 °C"\n {4}\+ "25 °C"\n/);
  });

  test("names exchanges that only one has, and answers that failed", async () => {
    const { stdout } = await diff("fixtures/openai-chat/error-429.json", "fixtures/openai-chat/error-500.json");
    expect(stdout).toContain('/answer/error\n    - "rate_limit"\n    + "server_error"');
    const longer = await diff("fixtures/anthropic-messages/text.json", "fixtures/anthropic-messages/pause-turn.json");
    expect(longer.stdout).toMatch(/^exchange 2\n {2}\(all of it\)\n {4}- \(nothing\)\n/m);
  });

  test("ends with 2 for what is no fixture", async () => {
    expect(await diff("package.json", loop)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/is not a fixture/) as string,
    });
  });
});
