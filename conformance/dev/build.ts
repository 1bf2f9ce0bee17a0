// Builds dist/ from the sources: JavaScript with types, what code reads from beside itself, and the spec as one page.

import { spawnSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./schema-files.ts";
import { writeSpecPage } from "./spec-page/write.ts";

rmSync(join(root, "dist"), { recursive: true, force: true });
compile("conformance/dev/tsconfig.build.json");
// The page of a report is checked with the types of a browser.
compile("conformance/reporters/html/page", "--noEmit", "false", "--rootDir", root, "--outDir", join(root, "dist"));
for (const path of ["kit/base/validators.js", "reporters/html/report.html", "reporters/html/style"])
  cpSync(join(root, "conformance", path), join(root, "dist/conformance", path), { recursive: true });
await writeSpecPage();

function compile(project: string, ...options: string[]): void {
  const compiler = join(root, "node_modules/.bin/tsc");
  const { status } = spawnSync(compiler, ["-p", join(root, project), ...options], { stdio: "inherit" });
  if (status === 0) return;
  console.error("The build failed: correct the types above. dist/ is not complete.");
  process.exit(1);
}
