// That the recipes of the spec work as they stand: each passes, and fails when the program asks something else.

import { execFile, execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");
const text = readFileSync(join(root, "spec/kit/recipes.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "agent-loop-recipes-"));
const vitest = join(root, "node_modules/vitest/vitest.mjs");

interface Recipe {
  language: string;
  file: string;
  command: [program: string, ...args: string[]];
  /** Fails where the toolchain is not there. */
  probe?: [program: string, ...args: string[]];
  beside?: Record<string, string>;
}

const recipes: Recipe[] = [
  { language: "ts types", file: "agent.test.ts", command: [process.execPath, vitest, "run"] },
  {
    language: "python",
    file: "test_agent.py",
    command: ["python3", "-m", "pytest", "-p", "no:cacheprovider"],
    probe: ["python3", "-c", "import pytest"],
  },
  {
    language: "go",
    file: "agent_test.go",
    command: ["go", "test", "-count=1", "."],
    probe: ["go", "version"],
    beside: { "go.mod": "module agent\n\ngo 1.21\n" },
  },
];

let server: ChildProcess;
let origin: string;

beforeAll(async () => {
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(root, "node_modules/vitest"), join(folder, "node_modules/vitest"));
  // A server finds fixtures from the folder in which it was started.
  writeFileSync(join(folder, "hello.json"), block("json Fixture"));
  server = spawn(process.execPath, [join(root, "conformance/cli/main.ts"), "serve"], { cwd: folder });
  origin = await new Promise((resolve) => {
    let output = "";
    server.stdout!.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const [, address] = /POST (http:\S+)\/_tapes/.exec(output) ?? [];
      if (address !== undefined) resolve(address);
    });
  });
});
afterAll(async () => {
  const ended = new Promise((resolve) => server.once("close", resolve));
  server.kill();
  await ended;
  rmSync(folder, { recursive: true });
});

for (const recipe of recipes) {
  test(
    `the recipe in ${recipe.language} passes, and fails where something else is asked`,
    { timeout: 120_000 },
    async (context) => {
      if (recipe.probe && !runs(recipe.probe)) context.skip(`not there: ${recipe.probe.join(" ")}`);
      expect(await run(recipe, "Hi.")).toMatchObject({ code: 0 });
      const failed = await run(recipe, "Bye.");
      expect(failed.code).not.toBe(0);
      expect(failed.output).toMatch(/messages\/0\/content/);
    },
  );
}

/** Runs a recipe in a folder of its own, asking `question`. */
function run(
  { language, file, command, beside = {} }: Recipe,
  question: string,
): Promise<{ code: number; output: string }> {
  const cwd = mkdtempSync(join(folder, "run-"));
  writeFileSync(join(cwd, "hello.json"), block("json Fixture"));
  const source = block(language)
    .replace('"agent-loop-spec/replay"', JSON.stringify(join(root, "conformance/traffic/in-process/index.ts")))
    .replace('"Hi."', JSON.stringify(question));
  for (const [name, content] of Object.entries({ ...beside, [file]: source })) writeFileSync(join(cwd, name), content);
  const [program, ...args] = command;
  return new Promise((resolve) => {
    const env = { ...process.env, AGENT_LOOP_SERVER: origin, NO_COLOR: "1" };
    execFile(program, args, { cwd, env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr });
    });
  });
}

/** The block of the chapter in a language. */
function block(language: string): string {
  const [, found] = text.split(`\n\`\`\`${language}\n`);
  return found!.split("\n```\n")[0]!;
}

function runs([program, ...args]: [string, ...string[]]): boolean {
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
