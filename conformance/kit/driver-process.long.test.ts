// The process of a driver, where what it leaves behind cannot be found: the kit ends all the same.

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "agent-loop-process-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("does not keep the kit alive by a process that holds its streams open", { timeout: 60_000 }, async () => {
  const pidFile = join(folder, "pid");
  // Outside of its process group, and without the mark in its environment.
  const leaving = `
    import { spawn } from "node:child_process";
    import { writeFileSync } from "node:fs";
    const left = spawn(process.execPath, ["-e", "setInterval(() => undefined, 1000)"], { detached: true, env: {}, stdio: "inherit" });
    writeFileSync(${JSON.stringify(pidFile)}, String(left.pid));
    process.exit(1);`;
  writeFileSync(join(folder, "driver.mjs"), leaving);
  const module = fileURLToPath(new URL("driver-process.ts", import.meta.url));
  const kit = `
    import { DriverProcess } from ${JSON.stringify(module)};
    const nobody = { line() {}, unreadable() {}, exit() {} };
    await new DriverProcess({ argv: [process.execPath, ${JSON.stringify(join(folder, "driver.mjs"))}] }, nobody).ended;
    console.log("ended");`;
  const ended = await new Promise((resolve) =>
    execFile(process.execPath, ["--input-type=module", "-e", kit], { timeout: 30_000 }, (error, stdout) =>
      resolve({ killed: error?.killed ?? false, stdout }),
    ),
  );
  process.kill(Number(readFileSync(pidFile, "utf8")), "SIGKILL");
  expect(ended).toEqual({ killed: false, stdout: "ended\n" });
});
