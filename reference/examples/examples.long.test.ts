// Every example runs, and prints what its README shows.

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const folder = fileURLToPath(new URL("./", import.meta.url));
const shown = ["", "plug-ins/", "durable/"].flatMap((path) => {
  const readme = readFileSync(`${folder}${path}README.md`, "utf8");
  const blocks = readme.matchAll(/^## `(.+)`\n[^]*?```text\n([^]*?)```/gm);
  return [...blocks].map(([, name, text]) => [`${path}${name}`, text!] as const);
});
// With a compile cache, an example starts in half the time.
const env = { ...process.env, NODE_COMPILE_CACHE: fileURLToPath(new URL("../../.cache/node", import.meta.url)) };

it.concurrent.each(shown)("%s prints what the README shows", async (name, text) => {
  const { stdout } = await promisify(execFile)(process.execPath, [name!], { cwd: folder, env });
  expect(stdout).toBe(text);
});
