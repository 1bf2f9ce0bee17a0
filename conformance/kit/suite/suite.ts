// Loads every case of a suite at once, and keeps the parsed suite for the next start, because parsing YAML is slow.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import type { Case, Fixture } from "../../../schemas/types.ts";
import type { KnownNames } from "./lint/problem.ts";
import { readCatalogue } from "./catalogue.ts";
import type { LoadProblem } from "./case-file.ts";
import { packagePath, packageRoot } from "../base/package-root.ts";
import { shownPath } from "../base/display-path.ts";
import type { Bug, Suite, SuiteOptions } from "./types.ts";
import { pinSuite } from "./suite-version.ts";

/** Case files are wrong. Has every problem of every file. */
export class LoadError extends Error {
  readonly problems: LoadProblem[];
  constructor(problems: LoadProblem[]) {
    super(problems.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`).join("\n"));
    this.name = "LoadError";
    this.problems = problems;
  }
}

/** Raise it when the checks of the loader change, so that no suite that they would refuse comes from a cache. */
const loaderVersion = 2;

/**
 * Loads the suite.
 * @throws LoadError with every problem of every file, UnknownVersionError
 * @see KIT-6 KIT-14
 */
export async function loadSuite(options: SuiteOptions = {}): Promise<Suite> {
  const root = options.root ?? packageRoot();
  const folder = options.cases ?? join(root, "conformance/cases");
  const bugsFile = options.bugs ?? join(root, "conformance/bugs.yaml");
  const catalogue = readCatalogue(root);
  const bugsText = existsSync(bugsFile) ? readFileSync(bugsFile, "utf8") : "";
  const schema = readFileSync(join(root, "schemas/case.schema.json"), "utf8");
  const names = hashOf(String(loaderVersion), folder, catalogue.source, schema, bugsText, ...fixtureNames(root));
  const files = caseFiles(folder).map((file) => {
    const text = readFileSync(file, "utf8");
    return { file, text, id: caseId(folder, file), hash: hashOf(text) };
  });
  const paths = options.cache === null ? [] : cachePaths(root, options.cache);
  const kept = readCache(paths, names);
  const changed = files.filter(({ id, hash }) => kept?.cases[id]?.hash !== hash);
  const bugs = kept?.bugs ?? (await readBugs(bugsText));
  const read = await readCases(changed, {
    ...catalogue,
    bugs: new Set(Object.keys(bugs)),
    hasFixture: (name) => fixtureExists(name, root),
  });
  const cases = Object.fromEntries(
    files.map(({ id, hash }) => [id, { hash, case: read.get(id) ?? kept!.cases[id]!.case }]),
  );
  if (!kept || changed.length > 0) writeCache(paths, { names, cases, bugs });
  const every = files.map(({ id, file }) => ({ id, file, case: cases[id]!.case }));
  return pinSuite({ cases: every, catalogue, bugs }, options.version);
}

interface ReadFile {
  file: string;
  text: string;
  id: string;
}

/** @throws LoadError */
async function readCases(files: readonly ReadFile[], names: KnownNames): Promise<Map<string, Case>> {
  const cases = new Map<string, Case>();
  if (files.length === 0) return cases;
  const { readCaseFile } = await import("./case-file.ts");
  const problems: LoadProblem[] = [];
  for (const { file, text, id } of files) {
    const read = readCaseFile(shownPath(file), text, names);
    problems.push(...read.problems);
    if (read.case) cases.set(id, read.case);
  }
  if (problems.length > 0) throw new LoadError(problems);
  return cases;
}

/** The id of the case in a file. */
export function caseId(folder: string, file: string): string {
  return relative(folder, file)
    .split(sep)
    .join("/")
    .replace(/\.ya?ml$/, "");
}

/** A parsed suite. Cases are good as long as their text and the names that they may use are the same. */
interface KeptSuite {
  names: string;
  cases: Record<string, { hash: string; case: Case }>;
  bugs: Record<string, Bug>;
}

function caseFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".yaml"))
    .sort()
    .map((name) => join(folder, name));
}

function fixtureNames(root: string): string[] {
  const folder = join(root, "fixtures");
  return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }).sort() : [];
}

async function readBugs(text: string): Promise<Record<string, Bug>> {
  if (text === "") return {};
  const { parse } = await import("yaml");
  return (parse(text) ?? {}) as Record<string, Bug>;
}

/** The ids of the real bugs that the package lists. */
export async function bugNames(file = packagePath("conformance/bugs.yaml")): Promise<Set<string>> {
  return new Set(Object.keys(await readBugs(existsSync(file) ? readFileSync(file, "utf8") : "")));
}

/** Whether there is a fixture, named as a case names it. */
export function fixtureExists(name: string, root = packageRoot()): boolean {
  const [path, number] = name.split("#");
  const file = join(root, "fixtures", `${path}.json`);
  if (!existsSync(file)) return false;
  if (number === undefined) return true;
  const fixture = JSON.parse(readFileSync(file, "utf8")) as Fixture;
  return fixture.exchanges[Number(number) - 1] !== undefined;
}

function hashOf(...parts: string[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("hex");
}

/** In a working copy the cache lies in it; elsewhere, or where nothing can be written there, in a folder of the user. */
function cachePaths(root: string, chosen: string | undefined): string[] {
  if (chosen !== undefined) return [join(chosen, "suite.json")];
  const own = root.includes(`${sep}node_modules${sep}`) ? [] : [join(root, ".cache/suite.json")];
  const user = createHash("sha256").update(homedir()).digest("hex").slice(0, 12);
  return [...own, join(tmpdir(), `agent-loop-spec-${process.getuid?.() ?? user}`, "suite.json")];
}

function readCache(paths: string[], names: string): KeptSuite | undefined {
  for (const path of paths) {
    try {
      const kept = JSON.parse(readFileSync(path, "utf8")) as KeptSuite;
      if (kept.names === names) return kept;
    } catch {
      // Not there, or half written by a kit that was killed: the suite is parsed again.
    }
  }
  return undefined;
}

function writeCache(paths: string[], suite: KeptSuite): void {
  for (const path of paths) {
    const unfinished = `${path}.${process.pid}`;
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      // Renaming is atomic, so that kits that start at the same time never read half a file.
      writeFileSync(unfinished, JSON.stringify(suite));
      renameSync(unfinished, path);
      return;
    } catch {
      // A folder that cannot be written: the next one is tried, and without any the suite is parsed on each start.
    }
  }
}
