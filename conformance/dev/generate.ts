// Writes every generated file of the project; with --check it only names the ones that are stale.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { providerFiles } from "./generate-providers.ts";
import { root } from "./schema-files.ts";

const check = process.argv.includes("--check");
const problems: string[] = [];
let count = 0;

// What makes the other files loads the lists of providers, so these come first.
await generate(providerFiles);
if (problems.length === 0) await generate((await import("./generated-files.ts")).generatedFiles);

if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exitCode = 1;
} else if (check) console.log(`${count} generated files are up to date`);

async function generate(
  files: readonly (readonly [path: string, text: () => string | Promise<string>])[],
): Promise<void> {
  for (const [path, text] of files) {
    count += 1;
    await write(path, text);
  }
}

async function write(path: string, text: () => string | Promise<string>): Promise<void> {
  try {
    const wanted = await text();
    const file = join(root, path);
    if (existsSync(file) && readFileSync(file, "utf8") === wanted) return;
    if (check) {
      problems.push(`${path} is stale: its source has changed. Run \`npm run generate\` and commit the result.`);
      return;
    }
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, wanted);
    console.log(`wrote ${path}`);
  } catch (error) {
    problems.push(`${path} cannot be generated: ${(error as Error).message}`);
  }
}
