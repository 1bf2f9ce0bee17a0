// Runs the programs and commands that the spec and the README show, offline and without secrets.

import { execFileSync } from "node:child_process";
import type { SpawnSyncReturns } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, relative } from "node:path";
import { nonEmptyLines, type Block } from "./fenced-blocks.ts";
import { root } from "./schema-files.ts";

/** TypeScript programs as a user of the package would write them, but on the sources. */
export class Programs {
  readonly #paths = new Map<Block, string>();
  readonly #mistakes = new Map<Block, string[]>();

  /** Checks the types of all of them at once, since most of that time is for what they import. */
  constructor(blocks: readonly Block[]) {
    const folder = join(root, ".cache/spec-examples");
    mkdirSync(folder, { recursive: true });
    for (const block of blocks) {
      const path = join(folder, `${block.file.replaceAll(/\W/g, "-")}-${block.line}.ts`);
      writeFileSync(path, `${onSources(block.text)}\nexport {};\n`);
      this.#paths.set(block, path);
    }
    if (blocks.length > 0) this.#check();
  }

  /** What is wrong with the types of one, or, where it is run, with what it prints. */
  check(block: Block, isRun: boolean): string[] {
    const mistakes = this.#mistakes.get(block) ?? [];
    if (!isRun || mistakes.length > 0) return mistakes;
    return compareOutput(block, start(process.execPath, [this.#paths.get(block)!], root).printed);
  }

  #check(): void {
    // As strict as the sources that they import.
    const types = ["--strict", "--exactOptionalPropertyTypes", "--types", "node", "--target", "es2024"];
    const flags = ["--ignoreConfig", "--noEmit", "--skipLibCheck", "--allowImportingTsExtensions", "--pretty", "false"];
    const args = [...flags, ...types, "--module", "nodenext", ...this.#paths.values()];
    const { code, printed } = start("tsc", args, root, [0, 1, 2]);
    if (code === 0) return;
    // What does not name a program is the fault of none, and nothing was checked.
    const lines = printed.split("\n").filter((line) => line !== "");
    for (const [block, path] of this.#paths) {
      const own = lines.filter((line) => line.startsWith(`${relative(root, path)}(`));
      this.#mistakes.set(block, own);
    }
    if ([...this.#mistakes.values()].flat().length === 0) throw new Error(`no program could be checked: ${printed}`);
  }
}

/** A program that imports the sources instead of the package. */
function onSources(text: string): string {
  const sources: Record<string, string> = {
    "": "reference/index",
    "/conformance": "conformance/kit/index",
    "/replay": "conformance/traffic/in-process/index",
    "/vitest": "conformance/reporters/vitest",
  };
  return text.replaceAll(/(["'])agent-loop-spec(\/[^"']*)?\1/g, (_, quote: string, path = "") => {
    const source =
      sources[path as string] ?? (path as string).replace(/^\/providers\/(.*)$/, "reference/providers/$1/index");
    return `${quote}${join(root, `${source}.ts`)}${quote}`;
  });
}

/** How the commands of a block are run, by the words after `sh`. */
interface Runs {
  /** In a fresh folder with a small agent program, as somebody who has installed the package; else in the project. */
  isElsewhere: boolean;
  /** Whether the last one finds something wrong, and says so by its exit code. */
  isRed: boolean;
}

const runs: Readonly<Record<string, Runs>> = {
  run: { isElsewhere: false, isRed: false },
  "run elsewhere": { isElsewhere: true, isRed: false },
  "run elsewhere red": { isElsewhere: true, isRed: true },
};

/** The program that stands in a fresh folder as `my_agent.py`. */
const naiveAgent = "conformance/agents/programs/naive.py";

/** Checks that every command is one of the project, and with a mode that runs them what they print, unless nothing is to be run. */
export function checkCommands(block: Block, mode: string, isRun = true): string[] {
  if (mode !== "" && !Object.hasOwn(runs, mode))
    return [`sh is alone or followed by ${Object.keys(runs).join(", ")}, not by "${mode}"`];
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
  return mode === "" || !isRun ? [] : checkRun(block, commands, runs[mode]!);
}

function checkRun(block: Block, commands: readonly string[], { isElsewhere, isRed }: Runs): string[] {
  if (!isElsewhere) return compareOutput(block, commands.map((command) => runCommand(command, root).printed).join(""));
  const folder = mkdtempSync(join(tmpdir(), "example-"));
  try {
    copyFileSync(join(root, naiveAgent), join(folder, "my_agent.py"));
    const ended = commands.map((command) => runCommand(command, folder, isRed ? [0, 1] : [0]));
    if (isRed && ended.at(-1)!.code === 0) return ["the last command finds nothing wrong, and the block says red"];
    const printed = ended.map((one) => one.printed).join("");
    return compareOutput(block, printed.replaceAll(root.replace(/\/$/, ""), "node_modules/agent-loop-spec"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function isKnown(command: string, scripts: Record<string, string>, bin: Record<string, string>): boolean {
  const [program = "", first = "", second = ""] = command.trim().split(/\s+/);
  if (program === "npm") return ["ci", "install", "test"].includes(first) || (first === "run" && second in scripts);
  if (program === "npx") return first in bin;
  if (program === "node" || program === "python3") return existsSync(join(root, first));
  return program in bin || program === "cd" || (program === "git" && first === "clone");
}

function runCommand(command: string, folder: string, codes?: readonly number[]): Ended {
  const words = [...command.trim().matchAll(/"([^"]*)"|'([^']*)'|\S+/g)].map(
    ([word, one, other]) => one ?? other ?? word,
  );
  const [program = "", ...args] = words[0] === "npx" ? words.slice(1) : words;
  const isOurs = program.startsWith("agent-loop");
  return isOurs
    ? start(process.execPath, [join(root, "conformance/cli/main.ts"), ...args], folder, codes)
    : start(program, args, folder, codes);
}

interface Ended {
  printed: string;
  code: number;
}

/**
 * Runs a program without the environment's secrets, so that no example reaches a provider.
 * @param codes the exit codes that it may have
 */
function start(program: string, args: string[], cwd: string, codes: readonly number[] = [0]): Ended {
  const path = [join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
  const env = { PATH: path, HOME: process.env["HOME"], NO_COLOR: "1" };
  try {
    return {
      printed: execFileSync(program, args, { cwd, encoding: "utf8", stdio: "pipe", timeout: 60_000, env }),
      code: 0,
    };
  } catch (error) {
    const { stdout = "", stderr = "", message, status } = error as Error & Partial<SpawnSyncReturns<string>>;
    if (typeof status === "number" && codes.includes(status)) return { printed: stdout, code: status };
    throw new Error(`the program failed: ${stderr || stdout || message}`, { cause: error });
  }
}

/** Times differ from run to run, and a line of `…` stands for any lines; everything else must be as written. */
function compareOutput(block: Block, output: string): string[] {
  if (block.next?.info !== "text") return [];
  const normal = (text: string) =>
    text
      .trim()
      .replaceAll(/\b\d+(\.\d+)? ?m?s\b/g, "<time>")
      .replaceAll(/[ \t]+$/gm, "");
  if (agree(normal(output).split("\n"), normal(block.next.text).split("\n"))) return [];
  return [`prints something else than the text block after it says:\n${output.trim()}`];
}

function agree([line, ...lines]: readonly string[], [shown, ...more]: readonly string[]): boolean {
  if (shown !== "…") return line === shown && (line === undefined || agree(lines, more));
  return (
    agree(line === undefined ? [] : [line, ...lines], more) || (line !== undefined && agree(lines, [shown, ...more]))
  );
}
