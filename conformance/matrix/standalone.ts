// Makes of a script of a peer one file that runs alone, with nothing in it that the script does not use.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The text of a script with everything in it that it leans on: what a maintainer saves in an empty folder, installs one package
 * beside, and runs. A script that leans on nothing comes back as it is.
 *
 * @param script its path; it imports by relative paths (`.mjs`), or from the folder `python` beside the peers (`.py`)
 * @throws Error if two parts that it leans on call different things by one name
 */
export function standalone(script: string): string {
  const text = readFileSync(script, "utf8");
  if (script.endsWith(".py")) return withPython(text, [dirname(script), join(dirname(script), "../../python")]);
  return script.endsWith(".mjs") ? withModules(script, text) : text;
}

/** A statement at the left margin, with the comment above it. */
interface Statement {
  text: string;
  /** What it declares; none if it only does something. */
  names: string[];
  uses: Set<string>;
}

interface Module {
  statements: Statement[];
  /** Imports of packages, by the statement. */
  packages: Statement[];
}

function withModules(script: string, text: string): string {
  const [, head = "", body = ""] = /^((?:\/\/.*\n)*)([^]*)$/.exec(text)!;
  const modules = new Map<string, Module>();
  readModule(script, body, modules);
  const parts = [...modules.values()];
  const used = reached(parts);
  const packages = parts.flatMap((part) => part.packages).filter(({ names }) => names.some((name) => used.has(name)));
  const statements = parts.flatMap((part) => part.statements).filter(isUsed(used));
  refuseTwins(statements);
  const imports = [...new Set(packages.map((one) => one.text))].sort();
  const written = statements.map((one) => one.text.replace(/^export /m, ""));
  return `${[head + imports.join("\n"), ...written].join("\n\n")}\n`;
}

/** Reads a module after those that it imports, so that each stands behind what it needs. */
function readModule(path: string, text: string, modules: Map<string, Module>): void {
  if (modules.has(path)) return;
  const statements = statementsOf(text);
  const isImport = (one: Statement) => one.text.startsWith("import ");
  const local = ({ text: line }: Statement) => /from "(\.[^"]+)"/.exec(line)?.[1];
  const imports = statements.filter(isImport);
  const own: Module = {
    packages: imports.filter((one) => local(one) === undefined),
    statements: statements.filter((one) => !isImport(one)),
  };
  modules.set(path, own); // before what it imports: two modules may import each other
  for (const from of imports.map(local)) {
    if (from === undefined) continue;
    const imported = join(dirname(path), from);
    readModule(imported, readFileSync(imported, "utf8"), modules);
  }
  modules.delete(path);
  modules.set(path, own);
}

/** The shared files are formatted: what stands at the left margin, and closes nothing, begins a statement. */
function statementsOf(text: string): Statement[] {
  const lines = text.split("\n");
  const begins = (line: string) => /^[^\s)}\]]/.test(line);
  const found: string[][] = [];
  let isComment = false;
  for (const line of lines) {
    if (begins(line) && !isComment) found.push([]);
    if (begins(line)) isComment = /^\/[/*]/.test(line);
    if (line === "") isComment = false; // a comment above an empty line belongs to the whole file
    found.at(-1)?.push(line);
  }
  return found.map((one) => statement(one.join("\n").trim())).filter(({ text: code }) => withoutComments(code) !== "");
}

function statement(text: string): Statement {
  const code = withoutComments(text);
  return {
    text,
    names: namesIn(code),
    uses: new Set(code.match(/(?<![\w$.])[A-Za-z_$][\w$]*|(?<=\.\.\.)[\w$]+/g)),
  };
}

const withoutComments = (text: string): string => text.replace(/^\/\*\*[^]*?\*\/|^\/\/.*$/gm, "").trim();

function namesIn(code: string): string[] {
  const [, one] = /^(?:export )?(?:async )?(?:function\*?|const|let|class) ([\w$]+)/.exec(code) ?? [];
  if (one) return [one];
  const [, several] = /^(?:import|(?:export )?const) (.+?) (?:=|from) /s.exec(code) ?? [];
  return several?.replaceAll(/[\w$]+(?: as |: )|\* as /g, "").match(/[\w$]+/g) ?? [];
}

/** The names that the script reaches. What only does something, and declares nothing, is always done. */
function reached(modules: readonly Module[]): Set<string> {
  const all = modules.flatMap((part) => part.statements);
  const used = new Set<string>();
  const waiting = all.filter(({ names }) => names.length === 0);
  waiting.push(...modules.at(-1)!.statements);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const name of next.names) used.add(name);
    for (const name of next.uses) {
      if (used.has(name)) continue;
      used.add(name);
      waiting.push(...all.filter(({ names }) => names.includes(name)));
    }
  }
  return used;
}

const isUsed = (used: ReadonlySet<string>) => (one: Statement) =>
  one.names.length === 0 || one.names.some((name) => used.has(name));

function refuseTwins(statements: readonly Statement[]): void {
  const names = statements.flatMap((one) => one.names);
  const twin = names.find((name, at) => names.indexOf(name) !== at);
  if (twin === undefined) return;
  throw new Error(`two parts of one script declare ${twin}, so they cannot stand in one file; rename one of them`);
}

/** In Python a shared module stands whole in place of the line that imports it. */
function withPython(text: string, folders: readonly string[], known = new Set<string>()): string {
  return text
    .replace(/^sys\.path\.insert\(.*\n\n?/m, "")
    .replaceAll(/^from (\w+) import .*\n/gm, (line, name: string) => {
      const file = folders.map((folder) => join(folder, `${name}.py`)).find((path) => existsSync(path));
      if (file === undefined) return line;
      if (known.has(file)) return "";
      known.add(file);
      const shared = readFileSync(file, "utf8").replace(/^"""([^]*?)"""/, (_, words: string) => asComment(words));
      return `${withPython(shared, folders, known).trim()}\n`;
    });
}

function asComment(words: string): string {
  const lines = words.trimEnd().split("\n");
  return lines.map((line) => `# ${line}`.trimEnd()).join("\n");
}
