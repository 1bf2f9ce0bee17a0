// Runs the programs and commands that the spec and the README show, offline and without secrets.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { nonEmptyLines, type Block } from "./fenced-blocks.ts";
import { root } from "./schema-files.ts";

/** Checks, and perhaps runs, a TypeScript program as a user of the package would write it, but on the sources. */
export function checkProgram(block: Block, isRun: boolean): string[] {
  const folder = join(root, ".cache/spec-examples");
  mkdirSync(folder, { recursive: true });
  const program = join(folder, `${block.file.replaceAll(/\W/g, "-")}-${block.line}.ts`);
  const sources: Record<string, string> = {
    "": "reference/index",
    "/conformance": "conformance/kit/index",
    "/replay": "conformance/traffic/in-process/index",
    "/vitest": "conformance/reporters/vitest",
  };
  const text = block.text.replaceAll(/(["'])agent-loop-spec(\/[^"']*)?\1/g, (_, quote: string, path = "") => {
    const source =
      sources[path as string] ?? (path as string).replace(/^\/providers\/(.*)$/, "reference/providers/$1/index");
    return `${quote}${join(root, `${source}.ts`)}${quote}`;
  });
  writeFileSync(program, `${text}\nexport {};\n`);
  // As strict as the sources that it imports.
  const types = ["--strict", "--exactOptionalPropertyTypes", "--types", "node"];
  const flags = ["--ignoreConfig", "--noEmit", "--skipLibCheck", "--allowImportingTsExtensions"];
  execute("tsc", [...flags, ...types, "--target", "es2024", "--module", "nodenext", program]);
  return isRun ? compareOutput(block, execute(process.execPath, [program])) : [];
}

/** Checks that every command is one of the project, and with mode `run` what they print. */
export function checkCommands(block: Block, mode: string): string[] {
  if (mode !== "" && mode !== "run") return [`sh is alone or followed by run, not by "${mode}"`];
  const { scripts, bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<
    "scripts" | "bin",
    Record<string, string>
  >;
  const commands = nonEmptyLines(block)
    .filter((line) => !line.startsWith("#"))
    .flatMap((line) => line.replace(/\s+#.*$/, "").split(/\s*&&\s*/));
  const unknown = commands.filter((command) => !isKnown(command, scripts, bin));
  if (unknown.length > 0)
    return unknown.map((command) => `neither an npm script nor a program of the package: ${command}`);
  if (mode !== "run") return [];
  return compareOutput(block, commands.map((command) => runCommand(command)).join(""));
}

function isKnown(command: string, scripts: Record<string, string>, bin: Record<string, string>): boolean {
  const [program = "", first = "", second = ""] = command.trim().split(/\s+/);
  if (program === "npm") return ["ci", "install", "test"].includes(first) || (first === "run" && second in scripts);
  if (program === "npx") return first in bin;
  if (program === "node" || program === "python3") return existsSync(join(root, first));
  return program in bin || program === "cd" || (program === "git" && first === "clone");
}

function runCommand(command: string): string {
  const [program = "", ...args] = command
    .trim()
    .replace(/^npx /, "")
    .split(/\s+/)
    .map((word) => word.replaceAll(/^(["'])(.*)\1$/g, "$2"));
  const isOurs = program.startsWith("agent-loop");
  return isOurs ? execute(process.execPath, [join(root, "conformance/cli/main.ts"), ...args]) : execute(program, args);
}

/** Runs a program without the environment's secrets, so that no example reaches a provider. */
function execute(program: string, args: string[]): string {
  const path = [join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
  const env = { PATH: path, HOME: process.env["HOME"], NO_COLOR: "1" };
  try {
    return execFileSync(program, args, { cwd: root, encoding: "utf8", stdio: "pipe", timeout: 60_000, env });
  } catch (error) {
    const { stdout = "", stderr = "", message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`the program failed: ${stderr || stdout || message}`, { cause: error });
  }
}

/** Times differ from run to run; everything else must be as written. */
function compareOutput(block: Block, output: string): string[] {
  if (block.next?.info !== "text") return [];
  const normal = (text: string) =>
    text
      .trim()
      .replaceAll(/\b\d+(\.\d+)? ?m?s\b/g, "<time>")
      .replaceAll(/[ \t]+$/gm, "");
  if (normal(output) === normal(block.next.text)) return [];
  return [`prints something else than the text block after it says:\n${output.trim()}`];
}
