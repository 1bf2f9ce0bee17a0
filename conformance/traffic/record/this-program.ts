// What this program calls itself in files that it writes.

import { readFileSync } from "node:fs";
import { packagePath } from "../../kit/base/package-root.ts";

export function thisProgram(): { name: string; version: string } {
  const { version } = JSON.parse(readFileSync(packagePath("package.json"), "utf8")) as { version: string };
  return { name: "agent-loop", version };
}
