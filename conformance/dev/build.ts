// Builds dist/ from the sources: JavaScript with types, what code reads from beside itself, the spec as one page, the matrix, and the API reference.

import { spawnSync } from "node:child_process";
import { cpSync, globSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./schema-files.ts";
import { matrixPage } from "../matrix/page.ts";
import { readMatrix } from "../matrix/matrix-file.ts";
import { writeApi } from "./api/api-page.ts";
import { writeSpecPage } from "./spec-page/write.ts";

rmSync(join(root, "dist"), { recursive: true, force: true });
compile("conformance/dev/tsconfig.build.json");
// The page of a report is checked with the types of a browser.
compile("conformance/reporters/html/page", "--noEmit", "false", "--rootDir", root, "--outDir", join(root, "dist"));
compile("conformance/matrix/page", "--noEmit", "false", "--rootDir", root, "--outDir", join(root, "dist"));
const besideCode = [
  "kit/base/validators.js",
  "reporters/html/report.html",
  "reporters/html/style",
  "matrix/page.html",
  "matrix/style",
];
for (const path of besideCode)
  cpSync(join(root, "conformance", path), join(root, "dist/conformance", path), { recursive: true });
for (const path of globSync("conformance/teaching/tour/*/fixture.json", { cwd: root }))
  cpSync(join(root, path), join(root, "dist", path));
await writeSpecPage();
writeMatrixPage();
writeApi();

/** The matrix, of the data that is checked in. */
function writeMatrixPage(): void {
  const page = matrixPage(readMatrix(join(root, "conformance/matrix/matrix.json")));
  writeFileSync(join(root, "dist/matrix.html"), page);
  console.log(`wrote dist/matrix.html, ${(Buffer.byteLength(page) / 1e6).toFixed(1)} MB`);
}

function compile(project: string, ...options: string[]): void {
  const compiler = join(root, "node_modules/.bin/tsc");
  const { status } = spawnSync(compiler, ["-p", join(root, project), ...options], { stdio: "inherit" });
  if (status === 0) return;
  console.error("The build failed: correct the types above. dist/ is not complete.");
  process.exit(1);
}
