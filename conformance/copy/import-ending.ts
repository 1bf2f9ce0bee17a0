// Finds out how the imports of a TypeScript project end: in .ts, which Node runs, or in .js, which every compiler takes.

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

export type ImportEnding = ".ts" | ".js";

/** The part of a tsconfig.json that decides. */
interface Config {
  extends?: string | string[];
  compilerOptions?: Record<string, unknown>;
}

/** What of a project's tsconfig.json decided. */
export interface Found {
  ending: ImportEnding;
  /** The nearest tsconfig.json; absent if there is none, and Node decides. */
  file?: string;
}

/** Looks for the nearest tsconfig.json, in this folder or above it. One that permits imports of .ts files wants them. */
export function importEnding(folder: string): Found {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const file = join(at, "tsconfig.json");
    if (existsSync(file)) return { ending: permitsTs(file) ? ".ts" : ".js", file };
    if (at === dirname(at)) return { ending: ".ts" };
  }
}

/**
 * What a tsconfig.json says itself, or else the last of those that it extends and that says anything.
 * A file that cannot be read is ignored: the compiler reports it better than this program could.
 */
function permitsTs(file: string, extending: readonly string[] = []): boolean | undefined {
  if (extending.includes(file)) return undefined;
  const { compilerOptions = {}, extends: bases = [] } = readConfig(file);
  const { allowImportingTsExtensions: allows, rewriteRelativeImportExtensions: rewrites } = compilerOptions;
  if (allows !== undefined || rewrites !== undefined) return allows === true || rewrites === true;
  return [bases]
    .flat()
    .flatMap((base) => locate(base, file) ?? [])
    .map((base) => permitsTs(base, [...extending, file]))
    .findLast((setting) => setting !== undefined);
}

function locate(base: string, from: string): string | undefined {
  if (/^[./]/.test(base))
    return [resolve(dirname(from), `${base}.json`), resolve(dirname(from), base)].find(existsSync);
  try {
    return createRequire(from).resolve(base.endsWith(".json") ? base : `${base}/tsconfig.json`);
  } catch {
    return undefined;
  }
}

function readConfig(file: string): Config {
  try {
    return JSON.parse(withoutComments(readFileSync(file, "utf8"))) as Config;
  } catch {
    return {};
  }
}

/** JSON as tsconfig.json has it: with comments, and commas behind the last entry. */
function withoutComments(text: string): string {
  const stringOrComment = /"(?:[^"\\]|\\.)*"|\/\/.*|\/\*[^]*?\*\//g;
  const bare = text.replace(stringOrComment, (found) => (found.startsWith('"') ? found : ""));
  return bare.replace(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g, (found) => (found === "," ? "" : found));
}
