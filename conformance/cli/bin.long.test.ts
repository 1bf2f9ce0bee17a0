// The program starts on every Node that it needs, and says so on an older one.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const bin = fileURLToPath(new URL("bin.js", import.meta.url));

/** Starts the program on a Node that says that it is of this version. */
function startOn(version: string): { status: number | null; stdout: string; stderr: string } {
  const pretend = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`;
  const load = `data:text/javascript,${encodeURIComponent(pretend)}`;
  return spawnSync(process.execPath, ["--import", load, bin, "--help"], { encoding: "utf8" });
}

test.each(["20.19.0", "22.17.1"])("Node %s is told which Node is needed", (version) => {
  const { status, stdout, stderr } = startOn(version);
  expect(stderr).toBe(`agent-loop-spec needs Node 22.18 or later; this is Node ${version}.\n`);
  expect(stdout).toBe("");
  expect(status).toBe(2);
});
test.each(["22.18.0", "24.0.0"])("Node %s is enough", (version) => {
  const { status, stdout } = startOn(version);
  expect(stdout).toMatch(/^Usage: npx agent-loop-spec /);
  expect(status).toBe(0);
});
