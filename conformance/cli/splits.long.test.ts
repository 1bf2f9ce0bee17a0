// `test --splits`: the seeds are said, `--seed` repeats them, and what makes no sense is refused.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const main = fileURLToPath(new URL("main.ts", import.meta.url));

function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const command = [main, "test", "-d", "reference", "-c", "tools/unknown-tool", ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { env: { ...process.env, NO_COLOR: "1" } }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

describe("test", () => {
  it("plays streams with the splits of the seed, and with one that was named", async () => {
    const first = await run("--variant", "openai-chat/sse", "--seed", "7", "--splits", "2");
    const [headline = ""] = first.stdout.split("\n");
    expect(headline).toMatch(/, seed 7, splits 0 \d+$/);
    expect(first.code).toBe(0);
    const again = await run("--variant", "openai-chat/sse", "--seed", "7", "--splits", "2");
    expect(again.stdout.split("\n")[0]).toBe(headline);
    const named = await run("--variant", "openai-chat/sse", "--split", "5", "--split", "6");
    expect(named.stdout).toMatch(/, splits 5 6\n/);
    expect(named.code).toBe(0);
  }, 120_000);

  it("does not write known failures while it watches", async () => {
    const { code, stderr } = await run("--watch", "--update-known-failures");
    expect(stderr).toContain("--watch runs parts");
    expect(code).toBe(2);
  });
});
