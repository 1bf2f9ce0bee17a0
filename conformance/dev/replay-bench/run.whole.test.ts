// That the benchmark of replay and recording does its work; what it measures is not judged here.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("the benchmark runs, and prints a line for each target", async () => {
  const script = fileURLToPath(new URL("./run.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, "--quick"]);
  expect(stdout.trim().split("\n")).toHaveLength(7);
});
