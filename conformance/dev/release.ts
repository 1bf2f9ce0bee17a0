// Releases the package, as it was checked: tests, packs, looks at the packed file, and publishes that. With --dry-run, all but the last.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pc from "picocolors";
import { checkPacked } from "./packed.ts";
import { releaseRefusals, type Manifest } from "./release-refusals.ts";
import { root } from "./schema-files.ts";

const { log, error } = console;
const isDry = process.argv.includes("--dry-run");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const manifest = JSON.parse(read("package.json")) as Manifest;

const refusals = releaseRefusals({ manifest, changelog: read("CHANGELOG.md"), changed: changedFiles() });
if (refusals.length > 0) error(`${isDry ? "Would not be released" : "Not released"}:\n  ${refusals.join("\n  ")}`);
if (refusals.length > 0 && !isDry) process.exitCode = 1;
else release();

function release(): void {
  if (isDry) log(`left out: npm test, and git tag v${manifest.version}`);
  else step("npm", ["test"]);
  const folder = mkdtempSync(join(tmpdir(), "release-"));
  try {
    step("npm", ["pack", "--pack-destination", folder]);
    const file = join(
      folder,
      readdirSync(folder).find((name) => name.endsWith(".tgz"))!,
    );
    for (const command of checkPacked(file)) step(...command);
    step("npm", ["publish", file, "--access", "public", ...(isDry ? ["--dry-run"] : [])]);
    if (!isDry) step("git", ["tag", `v${manifest.version}`]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  log(isDry ? "Nothing was published." : `${manifest.name} ${manifest.version} is published; push the tag.`);
}

/** Runs one step; what fails ends the release. */
function step(command: string, args: readonly string[]): void {
  log(pc.bold(`$ ${[command, ...args].join(" ")}`));
  const { status } = spawnSync(command, args, { cwd: root, stdio: "inherit" });
  if (status === 0) return;
  throw new Error(`${command} ended with ${status}; nothing was published`);
}

function changedFiles(): string[] {
  const printed = execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" });
  return printed.split("\n").flatMap((line) => (line === "" ? [] : [line.slice(3)]));
}
