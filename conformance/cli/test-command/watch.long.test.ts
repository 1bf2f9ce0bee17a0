// `test --watch` from the first run to the end: a change of the driver runs it again, a broken driver is waited for.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agent-loop-watch-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("runs again what is touched, until it is ended", async () => {
  const manifest = (name: string) => {
    const command = ["node", path("../../drivers/reference/driver.ts")];
    writeFileSync(
      join(folder, "agent-loop.json"),
      name && JSON.stringify({ name, version: "0.1.0", language: "typescript", command }),
    );
  };
  manifest("reference");
  const args = ["test", "--watch", "-d", folder, "-c", "tools/unknown-tool", "--variant", "generic", "--seed", "1"];
  const child = spawn(process.execPath, [path("../main.ts"), ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let turn = Promise.withResolvers<string>();
  const onData = (bytes: Buffer) => {
    output += bytes.toString();
    if (output.includes("Waiting for changes.")) turn.resolve(output);
  };
  child.stdout.on("data", onData);
  child.stderr.on("data", onData);
  const ended = new Promise((resolve) => child.on("exit", (code, signal) => resolve(signal ?? code)));
  void ended.then((how) => turn.reject(new Error(`it ended with ${String(how)}: ${output}`)));
  const after = async (change: () => void) => {
    output = "";
    turn = Promise.withResolvers();
    change();
    return await turn.promise;
  };
  try {
    expect(await turn.promise).toContain("variants passed");
    expect(await after(() => manifest(""))).toContain("agent-loop.json is not JSON");
    expect(await after(() => manifest("reference"))).toContain("variants passed");
    expect(await after(() => manifest("other"))).toContain('its agent-loop.json says name "other"');
  } finally {
    child.kill("SIGINT");
  }
  expect(await ended).toBe("SIGINT");
}, 120_000);
