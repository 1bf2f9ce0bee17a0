// Executes or validates every fenced block of the spec and the README, by the words after its fence:
//
//   json <Type>        one value of a schema, for example Session or RunResult
//   json <Type>[]      an array of such values
//   json Wire          what the adapter of this chapter sends for the json Message[] block before it
//   yaml Case          a case, loaded as the kit loads it
//   ndjson <Type>      one value of a schema per line
//   ndjson Driver      one message of the driver protocol per line, after "kit →" or "drv →"
//   ts                 a program; it is run, and prints the text block that follows directly, if one does
//   ts <path>          an excerpt; its lines stand in this file of the project, in this order
//   sh                 commands, one per line; each is an npm script or a program of the package
//   sh run             the same, and they are run; they print the text block that follows directly, if one does
//   mermaid            a state diagram with exactly the phases of a snapshot
//   text               nothing: output or a drawing
//
// A block without words, or with others, is a mistake.

import { deepStrictEqual } from "node:assert";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, delimiter, join, resolve } from "node:path";
import { readCaseFile } from "../kit/case-file.ts";
import { readCatalogue } from "../kit/catalogue.ts";
import { driverNotifications, driverRequests, kitNotifications, kitRequests } from "../kit/protocol.ts";
import { schemaRefs, type SchemaType } from "../kit/schema-refs.ts";
import { validate } from "../kit/validate.ts";
import type { Message } from "../../reference/types.ts";
import { chapters } from "./generate-requirements.ts";
import { root } from "./schema-files.ts";

/** A fenced block of a markdown file. */
interface Block {
  file: string;
  /** The line of the opening fence. */
  line: number;
  info: string;
  text: string;
  /** The block that follows with nothing but blank lines between. */
  next: Block | undefined;
  /** The last block before this one in the file. */
  previous: Block | undefined;
}

type Checker = (block: Block, argument: string) => string[] | Promise<string[]>;

const checkers: Record<string, Checker> = {
  json: (block, type) => (type === "Wire" ? checkWire(block) : checkJson(block, type)),
  yaml: (block, type) => (type === "Case" ? checkCase(block) : [`yaml is always "yaml Case"`]),
  ndjson: (block, type) => (type === "Driver" ? checkProtocol(block) : checkLines(block, type)),
  ts: (block, path) => (path === "" ? runProgram(block) : checkExcerpt(block, path)),
  sh: (block, mode) => checkCommands(block, mode),
  mermaid: (block) => checkPhases(block),
  text: () => [],
};

/** Every mistake in the fenced blocks of a markdown text, as lines that begin with file and line. */
export async function blockMistakes(file: string, markdown: string): Promise<string[]> {
  const mistakes: string[] = [];
  for (const block of fencedBlocks(file, markdown)) {
    const [language = "", ...words] = block.info.split(/\s+/);
    const check = checkers[language];
    let found: string[];
    try {
      found = check
        ? await check(block, words.join(" "))
        : [`begins with "${block.info}"; expected one of: ${Object.keys(checkers).join(", ")}`];
    } catch (error) {
      found = [(error as Error).message];
    }
    mistakes.push(...found.map((mistake) => `${block.file}:${block.line}: ${mistake}`));
  }
  return mistakes;
}

/** The fenced blocks of a markdown text, in order. */
function fencedBlocks(file: string, markdown: string): Block[] {
  const lines = markdown.split("\n");
  const blocks: (Block & { end: number })[] = [];
  for (let i = 0; i < lines.length; i++) {
    const fence = /^(\s*)(```+)(.*)$/.exec(lines[i]!);
    if (!fence) continue;
    const start = i;
    while (++i < lines.length && lines[i]!.trim() !== fence[2]);
    const text = lines
      .slice(start + 1, i)
      .map((line) => line.slice(fence[1]!.length))
      .join("\n");
    blocks.push({
      file,
      line: start + 1,
      info: fence[3]!.trim(),
      text,
      next: undefined,
      previous: blocks.at(-1),
      end: i,
    });
  }
  blocks.forEach((block, index) => {
    const next = blocks[index + 1];
    if (next && lines.slice(block.end + 1, next.line - 1).every((line) => line.trim() === "")) block.next = next;
  });
  return blocks;
}

function checkJson(block: Block, words: string): string[] {
  const type = words.replace(/\[\]$/, "");
  const value: unknown = JSON.parse(block.text);
  if (!words.endsWith("[]")) return problemsOf(type, value);
  return Array.isArray(value)
    ? value.flatMap((item, index) => problemsOf(type, item, `/${index}`))
    : [`expected an array of ${type}`];
}

function checkLines(block: Block, type: string): string[] {
  return nonEmptyLines(block).flatMap((line, index) => problemsOf(type, JSON.parse(line), `line ${index + 1} `));
}

function problemsOf(type: string, value: unknown, at = ""): string[] {
  if (!(type in schemaRefs)) return [`no schema is called "${type}"; known: ${Object.keys(schemaRefs).join(", ")}`];
  return validate(type as SchemaType, value).map(({ pointer, message }) =>
    `${at}${pointer} ${message}`.replace("  ", " ").trim(),
  );
}

/** What the adapter of the chapter makes of the messages before is what the block says. */
async function checkWire(block: Block): Promise<string[]> {
  if (block.previous?.info !== "json Message[]") return ["a json Wire block comes after a json Message[] block"];
  const wanted = JSON.parse(block.text) as { model: string; max_tokens?: number; stream?: boolean };
  const messages = JSON.parse(block.previous.text) as Message[];
  const path = `../../reference/providers/${basename(block.file, ".md")}.ts`;
  const { renderRequest } = (await import(path)) as {
    renderRequest: (request: object, settings: object) => { body: unknown };
  };
  const settings = {
    model: wanted.model,
    max_tokens: wanted.max_tokens,
    transport: wanted.stream === true ? "sse" : "json",
  };
  const { body } = renderRequest({ messages, tools: [] }, settings);
  deepStrictEqual(JSON.parse(JSON.stringify(body)), wanted, undefined);
  return [];
}

function checkCase(block: Block): string[] {
  const names = { ...readCatalogue(root), bugs: new Set<string>(), hasFixture: () => true };
  const { problems } = readCaseFile(block.file, block.text, names);
  return problems.map(({ line, message }) => `line ${line} of the case: ${message}`);
}

/** Each line is a request, a response to one, or a notification, and goes in a direction in which it may go. */
function checkProtocol(block: Block): string[] {
  const open = new Map<string, { result: SchemaType; errorData?: SchemaType }>();
  return nonEmptyLines(block).flatMap((line, index) => {
    const [, who = "", json = ""] = /^(kit|drv) → (.*)$/.exec(line) ?? [];
    if (who === "") return [`line ${index + 1} must begin with "kit → " or "drv → "`];
    const message = JSON.parse(json) as {
      id?: unknown;
      method?: string;
      params?: unknown;
      result?: unknown;
      error?: { data?: unknown };
    };
    const other = who === "kit" ? "drv" : "kit";
    const at = `line ${index + 1} `;
    if (message.method === undefined) {
      const request = open.get(`${other} ${String(message.id)}`);
      if (!request) return [`${at}answers the id ${JSON.stringify(message.id)}, which nobody asked`];
      if (message.error === undefined) return problemsOf(request.result, message.result, at);
      return request.errorData ? problemsOf(request.errorData, message.error.data, at) : [];
    }
    const requests: Record<string, { params: SchemaType; result: SchemaType }> =
      who === "kit" ? kitRequests : driverRequests;
    const notifications: Record<string, SchemaType> = who === "kit" ? kitNotifications : driverNotifications;
    const request = requests[message.method];
    if (request && message.id !== undefined) open.set(`${who} ${String(message.id)}`, request);
    const type = message.id === undefined ? notifications[message.method] : request?.params;
    return type
      ? problemsOf(type, message.params, at)
      : [`${at}the ${who === "kit" ? "kit" : "driver"} has no such message: ${message.method}`];
  });
}

/** Runs a TypeScript program as a user of the package would, but on the sources. */
function runProgram(block: Block): string[] {
  const folder = join(root, ".cache/spec-examples");
  mkdirSync(folder, { recursive: true });
  const program = join(folder, `${block.file.replaceAll(/\W/g, "-")}-${block.line}.ts`);
  const sources: Record<string, string> = { "": "reference/index", "/conformance": "conformance/kit/index" };
  const text = block.text.replaceAll(/(["'])agent-loop-spec(\/[^"']*)?\1/g, (_, quote: string, path = "") => {
    const source = sources[path as string] ?? (path as string).replace("/providers/", "reference/providers/");
    return `${quote}${join(root, `${source}.ts`)}${quote}`;
  });
  writeFileSync(program, text);
  return compareOutput(block, execute(process.execPath, [program]));
}

function checkExcerpt(block: Block, path: string): string[] {
  if (!existsSync(join(root, path))) return [`there is no file ${path}`];
  const source = readFileSync(join(root, path), "utf8")
    .split("\n")
    .map((line) => line.trim());
  let from = 0;
  for (const line of nonEmptyLines(block)) {
    const found = source.indexOf(line.trim(), from);
    if (found < 0) return [`${path} does not have this line, or not in this place: ${line.trim()}`];
    from = found + 1;
  }
  return [];
}

function checkCommands(block: Block, mode: string): string[] {
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

function execute(program: string, args: string[]): string {
  const path = [join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
  try {
    return execFileSync(program, args, {
      cwd: root,
      encoding: "utf8",
      stdio: "pipe",
      timeout: 60_000,
      env: { ...process.env, PATH: path, NO_COLOR: "1" },
    });
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

/** The states that a diagram names are the phases of a snapshot. */
function checkPhases(block: Block): string[] {
  const schema = JSON.parse(readFileSync(join(root, "schemas/snapshot.schema.json"), "utf8")) as {
    $defs: { Phase: { enum: string[] } };
  };
  const phases = schema.$defs.Phase.enum;
  const named = new Set(nonEmptyLines(block).flatMap((line) => /^\s*(\S+) --> ([^\s:]+)/.exec(line)?.slice(1) ?? []));
  named.delete("[*]");
  const missing = phases
    .filter((phase) => !named.has(phase))
    .map((phase) => `the diagram leaves out the phase ${phase}`);
  const extra = [...named]
    .filter((name) => !phases.includes(name))
    .map((name) => `${name} is no phase; phases: ${phases.join(", ")}`);
  return [...missing, ...extra];
}

function nonEmptyLines(block: Block): string[] {
  return block.text.split("\n").filter((line) => line.trim() !== "");
}

if (import.meta.main) {
  const given = process.argv.slice(2).map((path) => resolve(path));
  const files = ["README.md", "CONTRIBUTING.md", ...chapters(join(root, "spec")).map((name) => join("spec", name))].map(
    (name) => join(root, name),
  );
  const existing = (given.length > 0 ? given : files).filter((file) => existsSync(file));
  const mistakes: string[] = [];
  for (const file of existing)
    mistakes.push(...(await blockMistakes(file.replace(root, ""), readFileSync(file, "utf8"))));
  for (const mistake of mistakes) console.error(mistake);
  if (mistakes.length > 0) process.exitCode = 1;
  else console.log(`every fenced block of ${existing.length} files is as it says`);
}
