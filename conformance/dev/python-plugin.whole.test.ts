// The fixtures for pytest, as their own tests try them: with the SDKs of OpenAI and Anthropic where they are installed.

import { execFile, execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./schema-files.ts";

const folder = join(root, "conformance/python");

test("the fixtures record, replay, expect and probe", { timeout: 300_000 }, async (context) => {
  if (!hasPytest()) context.skip("not there: pytest");
  const command = ["-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", folder];
  const { code, output } = await new Promise<{ code: number; output: string }>((resolve) =>
    execFile("python3", command, { encoding: "utf8", cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    ),
  );
  expect(code, output).toBe(0);
  expect(Number(/(\d+) passed/.exec(output)?.[1])).toBeGreaterThanOrEqual(8);
});

test("the plugin is small enough to be read", () => {
  const lines = readFileSync(join(folder, "agent_loop_pytest.py"), "utf8").trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(300);
});

function hasPytest(): boolean {
  try {
    execFileSync("python3", ["-c", "import pytest"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
