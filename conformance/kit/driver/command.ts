// Finds out how to start the driver that a person named: a command, a folder with an agent-loop.json, or a driver of the package.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Manifest } from "../../../schemas/types.ts";
import type { DriverCommand } from "./types.ts";
import { whichName } from "../base/suggest-name.ts";
import { packagePath } from "../base/package-root.ts";
import { shownPath } from "../base/display-path.ts";
import { describeProblems, validate } from "../base/validate.ts";

/** A driver that can be started. */
export interface NamedDriver {
  /** How the person named it; a folder such as `.` by the name that it has. */
  name: string;
  command: DriverCommand;
  /** What `--driver` takes to name it again. */
  argument: string;
  /** What its agent-loop.json says, if it was found by one. */
  manifest?: Partial<Manifest>;
  /** That file, relative to where the kit works. */
  manifestFile?: string;
}

/** The driver cannot be started as it was named. */
export class UnknownDriverError extends Error {
  override readonly name = "UnknownDriverError";
}

const manifestFile = "agent-loop.json";
const exampleManifest = '{ "name": "my-loop", "version": "0.1.0", "command": ["python3", "driver.py"] }';

/**
 * Finds a driver.
 * @param named a name of `listDrivers`, a folder with an agent-loop.json, or a command line
 * @throws UnknownDriverError if it is none of these
 */
export function findDriver(named: string): NamedDriver {
  const own = packagePath("conformance/drivers", named);
  if (/^[\w-]+$/.test(named) && existsSync(join(own, manifestFile))) return fromManifest(named, own, named);
  const folder = basename(named) === manifestFile ? dirname(named) : named;
  if (existsSync(join(folder, manifestFile)))
    return { ...fromManifest(folder, resolve(folder), folder), name: folderName(folder) };
  if (isFolder(named))
    throw new UnknownDriverError(
      `${named} is a folder without an ${manifestFile}, which defines how the driver is started; write one, such as ${exampleManifest}${onPath(named) ? `, or give the whole path of the program ${named}` : ""}`,
    );
  const words = splitWords(named);
  const [program, ...args] = words;
  if (program === undefined) throw new UnknownDriverError("--driver is empty; expected a name, a folder or a command");
  if (args.length === 0 && isProgramText(program)) throw new UnknownDriverError(howToStart(program));
  if (args.length === 0 && !program.includes("/") && !onPath(program)) {
    const known = whichName(
      named,
      listDrivers().map(({ name }) => name),
    );
    throw new UnknownDriverError(
      `no driver is called ${named}: it is neither a driver of the package, nor a folder with an ${manifestFile}, nor a program on PATH; ${known}`,
    );
  }
  if (args.length === 0 && program.includes("/") && !existsSync(program))
    throw new UnknownDriverError(
      `${program} is not there; expected a driver of the package, a folder with an ${manifestFile}, or a program`,
    );
  return { name: named, command: { argv: [program, ...args] }, argument: named };
}

/** A file that no system starts by itself. */
function isProgramText(path: string): boolean {
  const file = statSync(path, { throwIfNoEntry: false });
  if (!file?.isFile() || onPath(path)) return false;
  return !path.includes("/") || (file.mode & 0o111) === 0;
}

/** What starts the files of some languages. */
const starters: Readonly<Record<string, string>> = {
  ...{ ".js": "node", ".mjs": "node", ".cjs": "node", ".ts": "node", ".mts": "node" },
  ...{ ".py": "python3", ".rb": "ruby", ".php": "php", ".go": "go run", ".sh": "sh" },
};

function howToStart(path: string): string {
  const isExecutable = (statSync(path).mode & 0o111) !== 0;
  const starter = starters[extname(path)];
  const command = isExecutable ? `./${path}` : `${starter ?? "<program>"} ${path}`;
  return `${path} is a file, and --driver takes a command; say how it is started: --driver "${command}"`;
}

/** The drivers that come with the package. */
export function listDrivers(): Manifest[] {
  const folder = packagePath("conformance/drivers");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, manifestFile)))
    .sort()
    .map((name) => ({ ...readManifest(join(folder, name)), name }));
}

/** The file of known failures that an agent-loop.json names. */
export function declaredFile({
  manifest,
  manifestFile = "",
}: Pick<NamedDriver, "manifest" | "manifestFile">): string | undefined {
  return manifest?.known_failures === undefined ? undefined : join(dirname(manifestFile), manifest.known_failures);
}

/**
 * Splits a command line into words as a shell does: blanks separate, quotes and backslashes protect. Nothing is expanded.
 * @throws UnknownDriverError if a quote is left open
 */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let at = 0; at < line.length; at++) {
    const char = line[at]!;
    if (quote !== "" && char === quote) quote = "";
    else if (char === "\\" && quote !== "'" && at + 1 < line.length) word = (word ?? "") + line[++at];
    else if (quote !== "") word = (word ?? "") + char;
    else if (char === "'" || char === '"') {
      quote = char;
      word ??= "";
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + char;
  }
  if (quote !== "") throw new UnknownDriverError(`the command has an open ${quote}: ${line}`);
  if (word !== undefined) words.push(word);
  return words;
}

function fromManifest(name: string, folder: string, argument: string): NamedDriver {
  const manifest = readManifest(folder);
  if (manifest.build !== undefined) build(folder, manifest.build);
  const [program, ...args] = manifest.command.map((word) => fileOf(folder, name, word));
  return {
    name,
    command: { argv: [program!, ...args], cwd: folder, ...(manifest.env && { env: manifest.env }) },
    argument,
    manifest,
    manifestFile: relative(process.cwd(), join(folder, manifestFile)),
  };
}

/** `.` and `../..` are meaningless in a report. */
function folderName(named: string): string {
  return /(^|[\\/])\.{1,2}[\\/]*$/.test(named) ? basename(resolve(named)) : named;
}

/** @throws UnknownDriverError with what the build said, if it failed */
function build(folder: string, [program, ...args]: string[]): void {
  const { status, signal, error, stdout, stderr } = spawnSync(program!, args, { cwd: folder, encoding: "utf8" });
  if (status === 0) return;
  const isMissing = (error as NodeJS.ErrnoException | undefined)?.code === "ENOENT";
  const ended = isMissing
    ? `there is no program ${program} on this machine`
    : (error?.message ?? `it ended with ${signal ?? status}`);
  const output = `${stdout ?? ""}${stderr ?? ""}`.trim();
  throw new UnknownDriverError(
    `the driver could not be built by ${[program, ...args].join(" ")} in ${shownPath(folder)}: ${output || ended}`,
  );
}

/** @throws UnknownDriverError */
function readManifest(folder: string): Manifest {
  const file = join(folder, manifestFile);
  let manifest: unknown;
  try {
    manifest = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UnknownDriverError(`${shownPath(file)} is not JSON: ${(error as Error).message}`);
  }
  const problems = validate("Manifest", manifest);
  if (problems.length > 0)
    throw new UnknownDriverError(
      `${shownPath(file)} is not valid; the least is ${exampleManifest}:\n${describeProblems(problems)}`,
    );
  return manifest as Manifest;
}

/** A word of a manifest's command: a file beside the manifest as an absolute path, everything else unchanged. */
function fileOf(folder: string, name: string, word: string): string {
  const built = builtFile(name, word);
  if (built !== undefined) return built;
  const file = join(folder, word);
  return /[./]/.test(word) && existsSync(file) ? file : word;
}

/** In the built package the drivers of the package are JavaScript below dist/. */
function builtFile(name: string, word: string): string | undefined {
  if (import.meta.url.endsWith(".ts") || !word.endsWith(".ts")) return undefined;
  const file = fileURLToPath(new URL(`../../drivers/${name}/${word.replace(/\.ts$/, ".js")}`, import.meta.url));
  return existsSync(file) ? file : undefined;
}

function onPath(program: string): boolean {
  if (program.includes("/")) return false;
  return (process.env["PATH"] ?? "").split(":").some((folder) => folder !== "" && existsSync(join(folder, program)));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
