// Writes every generated file of the project; with --check it only names the ones that are stale.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { chapters, requirementsFile } from "./generate-requirements.ts";
import { fillMarkdown, permissionTableFile, stopTableFile } from "./generate-tables.ts";
import { typesFile } from "./generate-types.ts";
import { validatorsFile } from "./generate-validators.ts";
import { root } from "./schema-files.ts";

/** What each generated file should say. Markdown first: filling its tables moves the lines of requirements. */
const targets: [path: string, text: () => string | Promise<string>][] = [
  ...["README.md", ...chapters(join(root, "spec")).map((name) => join("spec", name))]
    .filter((path) => existsSync(join(root, path)))
    .map((path): [string, () => string] => [path, () => fillMarkdown(path, readFileSync(join(root, path), "utf8"))]),
  ["reference/types.ts", () => typesFile()],
  ["reference/core/stop-table.ts", () => stopTableFile()],
  ["reference/permission-table.ts", () => permissionTableFile()],
  ["conformance/kit/validators.js", () => validatorsFile()],
  ["spec/requirements.json", () => requirementsFile(join(root, "spec"))],
];

const check = process.argv.includes("--check");
const problems: string[] = [];
for (const [path, text] of targets) {
  try {
    const wanted = await text();
    const file = join(root, path);
    if (existsSync(file) && readFileSync(file, "utf8") === wanted) continue;
    if (check) {
      problems.push(`${path} is stale: its source has changed. Run \`npm run generate\` and commit the result.`);
      continue;
    }
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, wanted);
    console.log(`wrote ${path}`);
  } catch (error) {
    problems.push(`${path} cannot be generated: ${(error as Error).message}`);
  }
}
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exitCode = 1;
} else if (check) console.log(`${targets.length} generated files are up to date`);
