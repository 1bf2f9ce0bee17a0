// Where a toolchain is missing, the suite says which drivers it did not run, and is not red for it.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { root } from "./schema-files.ts";

const empty = mkdtempSync(join(tmpdir(), "agent-loop-no-toolchain-"));
afterAll(() => rmSync(empty, { recursive: true }));

it("says at its end which drivers did not run", () => {
  const command = [join(root, "conformance/dev/conformance.ts"), "-c", "tools/unknown-tool-without", "-p", "generic"];
  const { status, stdout } = spawnSync(process.execPath, command, { env: { PATH: empty }, encoding: "utf8" });
  expect(stdout).toContain("1 of 1 variant passed");
  expect(stdout).toContain("python: skipped, python3 is not installed");
  expect(stdout.trimEnd().split("\n").slice(-2)).toEqual([
    "not run: python, because python3 is not installed, or older than 3.9",
    "not run: go, because go is not installed, or older than its go.mod asks for",
  ]);
  expect(status).toBe(0);
}, 120_000);
