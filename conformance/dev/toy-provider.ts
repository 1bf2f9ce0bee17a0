// A copy of the project with one more provider, and no line of it changed by hand: what proves that a provider is two folders.

import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./schema-files.ts";

/** The provider that is added. Its format is that of another one, under its own name, at its own host and path. */
export const toy = "toy";
const model = "openai-chat";

/** What of the model is named in its folders, and what the toy has for it. */
const renamed: readonly [RegExp, string][] = [
  [/openai-chat/g, toy],
  [/(?<![\w/])openaiChat(?!\w)/g, toy],
  [/chat\/completions/g, "toy/completions"],
  [/chat\\\/completions/g, String.raw`toy\/completions`],
  [/chapter: "CHAT"/g, 'chapter: "TOY"'],
  [
    /\.\.\.commonTraffic,/g,
    `...commonTraffic, host: { ...commonTraffic.host, name: "${toy}", url: "https://toy.invalid" },`,
  ],
];

/** What the kit, the reference and the lists of providers are made of. */
export const sources = ["conformance/kit", "conformance/dev", "reference", "schemas", "package.json", "tsconfig.json"];

/** What is generated is in these, too. */
export const everything = [
  ...["conformance", "reference", "schemas", "spec", "fixtures"],
  ...["package.json", "tsconfig.json", "README.md", "CONTRIBUTING.md"],
];

const installed = /\/(?:node_modules|\.venv|target|__pycache__)(?:\/|$)/;

/** Copies these files and folders into an empty folder, and adds the two folders of the toy. Nothing is generated yet. */
export function copyWithToy(folder: string, parts: readonly string[]): void {
  for (const name of parts)
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: (path) => !installed.test(path) });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  for (const room of ["reference/providers", "conformance/kit/wire"]) addToy(join(folder, room));
}

/** Runs a script of the copy. */
export function runInCopy(folder: string, ...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  return { status, output: stdout + stderr };
}

function addToy(room: string): void {
  for (const path of globSync(`${model}/**/*.ts`, { cwd: room }).filter((name) => !name.endsWith(".test.ts"))) {
    const text = renamed.reduce((now, [from, to]) => now.replaceAll(from, to), readFileSync(join(room, path), "utf8"));
    const file = join(room, path.replace(model, toy));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
