// Starts a submission as its agent-loop.json says, from inside the sandbox: so what it says is never done outside of it.

import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
const { build, command } = JSON.parse(readFileSync(join(folder, "agent-loop.json"), "utf8"));
process.chdir(folder);
process.env.HOME = folder;
if (build) {
  const { status, error } = spawnSync(build[0], build.slice(1), { stdio: ["ignore", process.stderr, process.stderr] });
  if (status !== 0) {
    console.error(`${build.join(" ")} failed${error ? `: ${error.message}` : ""}`);
    process.exit(1);
  }
}
const driver = spawn(command[0], command.slice(1), { stdio: "inherit" });
driver.on("error", (error) => {
  console.error(`${command.join(" ")} does not start: ${error.message}`);
  process.exit(1);
});
driver.on("exit", (code, signal) => process.exit(signal ? 128 : code));
