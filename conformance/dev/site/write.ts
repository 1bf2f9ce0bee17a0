// Writes the site, a folder of pages that needs no server: npm run site [-- --out <folder>]

import { enableCompileCache } from "node:module";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readOptions, refuse } from "../../../reference/bench/options.ts";
import { loadSuite } from "../../kit/index.ts";
import { entries } from "../api/api-page.ts";
import { root } from "../schema-files.ts";
import { makeSite } from "./site.ts";
import { playedTraces } from "./walk-pages.ts";

// The driver is started some seventy times, and compiled once.
enableCompileCache();

/** A page that is larger is split. In bytes. */
const mostBytes = 1_000_000;

/** What every site has, and hardly another folder. */
const marks = ["index.html", "matrix/index.html", "spec/kill-matrix"];

const usage = "npm run site [-- --out <folder>]   dist/site by default; an earlier site is replaced, and nothing else";
const values = readOptions(usage, { out: { type: "string", default: join(root, "dist/site") } });
if (!existsSync(join(root, "dist/reference/index.d.ts")))
  throw new Error("The API reference is made of what the build declares; run first: npm run build");
if (!isOurs(values.out))
  refuse(usage, `${values.out} has other things than a site; name a folder that is empty or not there.`);
const start = performance.now();
const traces = await playedTraces(await loadSuite());
const files = await makeSite({ traces, modules: entries() });
rmSync(values.out, { recursive: true, force: true });
for (const [path, content] of files) {
  const file = join(values.out, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
sayWhatThereIs();

/** Whether a folder may be replaced: it is not there, is empty, or has the pages of an earlier site. */
function isOurs(folder: string): boolean {
  const has = (...path: string[]) => existsSync(join(folder, ...path));
  return !has() || readdirSync(folder).length === 0 || marks.every((page) => has(page));
}

function sayWhatThereIs(): void {
  const sizes = [...files].map(([path, content]) => ({ path, bytes: Buffer.byteLength(content) }));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const [largest] = sizes.toSorted((one, other) => other.bytes - one.bytes);
  const pages = sizes.filter(({ path }) => path.endsWith(".html")).length;
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(
    `wrote ${values.out}: ${pages} pages, ${traces.size} of them walks, ${megabytes(total)} in all; ` +
      `the largest is ${largest!.path}, ${megabytes(largest!.bytes)} (${seconds} s)`,
  );
  for (const { path, bytes } of sizes)
    if (bytes > mostBytes) console.log(`too large: ${path}, ${megabytes(bytes)}; split it`);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
