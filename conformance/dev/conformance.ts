// Runs the conformance suite on the implementations of this repository, in two languages: npm run conformance

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./schema-files.ts";

/** The implementations of this repository, as `agent-loop test --driver` names them. */
export const drivers = ["reference", "python"];

/** Why a driver cannot run here, or undefined if it can. */
export function whyNot(driver: string): string | undefined {
  if (driver !== "python") return undefined;
  const found = spawnSync("python3", ["--version"], { stdio: "ignore" }).status === 0;
  return found ? undefined : "python3 is not installed; install it to run the driver that is written in Python";
}

if (import.meta.main) {
  for (const driver of drivers) {
    const reason = whyNot(driver);
    console.log(`\n${driver}${reason === undefined ? "" : `: skipped, ${reason}`}`);
    if (reason !== undefined) continue;
    const command = [join(root, "conformance/cli/main.ts"), "test", "--driver", driver, ...process.argv.slice(2)];
    const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: "inherit" });
    if (status !== 0) process.exitCode = status ?? 1;
  }
}
