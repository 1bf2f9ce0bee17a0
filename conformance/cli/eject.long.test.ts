// A copy of the core in a project of its own: it compiles there, it runs there, and it passes everything that it declares.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { fencedBlocks } from "../dev/fenced-blocks.ts";
import { isWhole } from "../dev/whole.ts";
import { packagePath } from "../kit/base/package-root.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agent-loop-eject-"));
afterAll(() => rmSync(folder, { recursive: true }));

function run(cwd: string, program: string, ...args: string[]): { code: number | null; output: string } {
  const env = { ...process.env, NO_COLOR: "1" };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: "utf8", env });
  return { code: status, output: stdout + stderr };
}
const agentLoop = (cwd: string, ...args: string[]) => run(cwd, process.execPath, main, ...args);
const compile = (cwd: string) => run(cwd, packagePath("node_modules/.bin/tsc"), "-p", ".");

/** A project with a copy of the core in src/loop. */
function ejected(type: "module" | "commonjs", options: object = {}): string {
  const ordinary = { module: "nodenext", target: "es2023", strict: true, types: [], rootDir: "src", outDir: "dist" };
  const project = mkdtempSync(join(folder, "project-"));
  const config = { compilerOptions: { ...ordinary, ...options }, include: ["src"] };
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "product", private: true, type }));
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify(config));
  expect(agentLoop(project, "eject", "src/loop").output).toContain("wrote src/loop/run.ts\n");
  return project;
}

describe.each([
  ["js", {}],
  ["ts", { rewriteRelativeImportExtensions: true }],
])("where imports end in .%s", (ending, options) => {
  it("it compiles, and the program of its page runs", () => {
    const project = ejected("module", options);
    const page = readFileSync(join(project, "src/loop/README.md"), "utf8");
    const [program] = fencedBlocks("README.md", page).filter(({ info }) => info === "ts");
    expect(program!.text).toContain(`from "./run.${ending}"`);
    writeFileSync(join(project, "src/loop/program.ts"), program!.text);
    expect(compile(project)).toEqual({ code: 0, output: "" });
    expect(run(project, process.execPath, "dist/loop/program.js").output).toBe("completed 18 °C in Paris.\n");
    if (ending === "ts")
      expect(run(project, process.execPath, "src/loop/program.ts").output).toMatch(/^completed 18 °C in Paris\.$/m);
  });

  it.runIf(isWhole || ending === "ts")("it passes everything that it declares", { timeout: 300_000 }, () => {
    const { code, output } = agentLoop(ejected("module", options), "test", "--driver", "src/loop");
    expect(output).toMatch(/^certified for suite [\d.]+: essential, core\b/m);
    expect(output).toContain("none failed");
    expect(code).toBe(0);
  });
});

it("in CommonJS it compiles, and the kit can run it as it is", () => {
  const project = ejected("commonjs");
  expect(compile(project)).toEqual({ code: 0, output: "" });
  const program = 'console.log(typeof require("./dist/loop/run.js").run)';
  expect(run(project, process.execPath, "-e", program).output).toBe("function\n");
  const { code, output } = agentLoop(project, "test", "--driver", "src/loop", "--case", "loop/");
  expect(output).toContain("none failed");
  expect(code).toBe(0);
});

it("a change that breaks it is noticed", () => {
  const project = ejected("module");
  const file = join(project, "src/loop/core/session.ts");
  const text = readFileSync(file, "utf8");
  const broken = text.replace("filter((message) => !isIncomplete(message))", "slice(-2)");
  expect(broken).not.toBe(text);
  writeFileSync(file, broken);
  const { code, output } = agentLoop(project, "test", "--driver", "src/loop", "--requires", "LOOP-1");
  expect(code).toBe(1);
  expect(output).toContain("LOOP-1 The loop MUST send in each request all messages of the session so far");
});
