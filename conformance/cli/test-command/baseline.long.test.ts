// The way of an implementation that does not keep everything: it writes down what it fails, is green, and is told what it keeps.

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));
const fake = fileURLToPath(new URL("../../kit/testing/fake-driver.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agent-loop-way-"));
const [known, report] = [join(folder, "known.yaml"), join(folder, "report.jsonl")];
afterAll(() => rmSync(folder, { recursive: true }));

function run(...args: string[]): Promise<{ code: number; stdout: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [main, ...args],
      { env: { ...process.env, NO_COLOR: "1", CI: "" }, maxBuffer: 1e8 },
      (error, stdout) => resolve({ code: error ? Number(error.code) : 0, stdout }),
    );
  });
}

it("is red, then green but for what is listed, then red again where the list is no longer true", async () => {
  writeFileSync(
    join(folder, "agent-loop.json"),
    JSON.stringify({
      name: "fake",
      version: "1.0.0",
      command: [process.execPath, fake, "good"],
      profiles: ["core"],
      known_failures: "known.yaml",
    }),
  );
  const written = await run("test", "--driver", folder, "--update-known-failures");
  expect(written.stdout).toMatch(/core \(\d+\)/);
  expect(written.code).toBe(0);
  const text = readFileSync(known, "utf8");
  expect(text).toContain('reason: "Not looked into yet: ');

  expect(text).toContain("\nrequirements:\n");
  // Nobody's reason, and one entry that is not so.
  const list = text.includes("\nfailures:\n") ? "" : "failures:\n";
  writeFileSync(
    known,
    `${text.replace(/"Not looked into yet: .*"/, "Ours.")}${list}  - check: tools/unknown-tool#TOOL-9\n    code: stuck\n    reason: Never.\n`,
  );
  const stale = await run("test", "--driver", folder, "--reporter", "pretty", "--reporter", `json=${report}`);
  expect(stale.stdout).toMatch(
    /known\.yaml:\d+ tools\/unknown-tool#TOOL-9 is listed as failing, but passes on generic/,
  );
  expect(stale.stdout).not.toContain("declares the profile core, but");
  expect(stale.code).toBe(1);
  const { stdout } = await run("coverage", report, "--profile", "core");
  expect(stdout).toMatch(/^core .* \d+ known failures$/m);
}, 240_000);
