// How the imports of a project end, by its tsconfig.json.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { importEnding } from "./import-ending.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-loop-import-ending-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A new folder in which a tsconfig.json says this. */
function project(config?: string): string {
  const dir = mkdtempSync(join(folder, "project-"));
  if (config !== undefined) writeFileSync(join(dir, "tsconfig.json"), config);
  return dir;
}

describe("imports end", () => {
  const endingIn = (config: string) => importEnding(join(project(config), "src/loop")).ending;

  it("in .ts where nothing is compiled", () => {
    expect(importEnding(join(project(), "loop"))).toEqual({ ending: ".ts" });
  });
  it("in .js where tsconfig.json does not permit .ts, whatever its comments say", () => {
    expect(endingIn('{ "compilerOptions": { "module": "nodenext" } }')).toBe(".js");
    expect(endingIn('{ "compilerOptions": { /* "allowImportingTsExtensions": true */ }, }')).toBe(".js");
    expect(endingIn('{ "include": ["src/**/*"], "compilerOptions": { "allowImportingTsExtensions": false } }')).toBe(
      ".js",
    );
  });
  it("in .ts where it does, itself or by another that it extends", () => {
    expect(
      endingIn(
        '{ "include": ["src/**/*"], // all\n "compilerOptions": { "rewriteRelativeImportExtensions": true, }, }',
      ),
    ).toBe(".ts");
    const dir = project('{ "extends": ["./strict.json", "./node-ts"] }');
    writeFileSync(join(dir, "strict.json"), '{ "compilerOptions": { "strict": true } }');
    writeFileSync(join(dir, "node-ts.json"), '{ "compilerOptions": { "allowImportingTsExtensions": true } }');
    expect(importEnding(dir)).toEqual({ ending: ".ts", file: join(dir, "tsconfig.json") });
  });
  it("as the last one says that is extended, also where they go round in a circle", () => {
    const dir = project('{ "extends": ["./yes.json", "./no.json", "./nothing.json"] }');
    writeFileSync(join(dir, "yes.json"), '{ "compilerOptions": { "allowImportingTsExtensions": true } }');
    writeFileSync(join(dir, "no.json"), '{ "compilerOptions": { "allowImportingTsExtensions": false } }');
    writeFileSync(join(dir, "nothing.json"), '{ "extends": "./tsconfig.json" }');
    expect(importEnding(dir).ending).toBe(".js");
  });
});
