// Makes the files of a copy of the core from those of the package: no more than the copy needs, with imports that hold in it.

import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { relative } from "node:path/posix";
import { packagePath } from "../kit/base/package-root.ts";
import { specVersion } from "../kit/base/protocol.ts";
import { thisProgram } from "../traffic/record/this-program.ts";
import type { ImportEnding } from "./import-ending.ts";
import { neededTypes } from "./needed-types.ts";

/** What was written for copies, and where it imports from. */
const own = "conformance/eject";
const types = "schemas/types.ts";
/** Which of them a loop needs. */
const typesOfLoop = "schemas/types/loop.ts";

const imports = /(?<= from ")\.[^"]+\.ts(?=")/g;

/** How the copy is described to its owner. */
export interface Described {
  ending: ImportEnding;
  /** The folder as the kit gets it on the command line. */
  folder: string;
}

/** The files by their paths in the folder of the copy. */
export function ejectedFiles({ ending, folder }: Described): Map<string, string> {
  const { version } = thisProgram();
  const sources = closure(join(own, "run.ts"));
  const withEnding = (text: string) => text.replace(imports, (path) => path.replace(/\.ts$/, ending));
  const read = (name: string) => readFileSync(packagePath(own, name), "utf8");
  const manifest = JSON.parse(read("agent-loop.json")) as { features: string[] };
  const words: Record<string, string> = {
    version,
    spec: specVersion,
    suite: specVersion.replace(/-.*/, ""),
    folder,
    ending,
    imports: aboutImports[ending],
    features: manifest.features.map((feature) => `\`${feature}\``).join(" and "),
  };
  return new Map([
    ["LICENSE", readFileSync(packagePath("LICENSE"), "utf8")],
    ["README.md", read("README.md").replace(/\{\{(\w+)\}\}/g, (_, word: string) => words[word]!)],
    ["agent-loop.json", `${JSON.stringify({ ...manifest, version }, undefined, 2)}\n`],
    ["driver.mjs", read("driver.mjs")],
    ["types.ts", typesOf(sources)],
    ...[...sources].map(([path, text]): [string, string] => [placeOf(path), withEnding(moved(path, text))]),
  ]);
}

const aboutImports: Record<ImportEnding, string> = {
  ".ts": `Imports end in \`.ts\`: Node 22.18 and later run the files as they are. To compile them, set \`lib\` to es2023 or later
and \`rewriteRelativeImportExtensions\` in tsconfig.json (TypeScript 5.7); what comes out runs on Node 20 and later.`,
  ".js": `Imports end in \`.js\`, as every tsconfig.json permits; \`lib\` is to be es2023 or later. What is compiled runs on Node 20 and
later. To have Node run the files as they are, set \`rewriteRelativeImportExtensions\` in tsconfig.json, and eject again.`,
};

/** A file of the package and all that it imports, the types aside, by their paths in the package. */
function closure(start: string): Map<string, string> {
  const found = new Map<string, string>();
  const open = [start];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path) || path === types) continue;
    const text = readFileSync(packagePath(path), "utf8");
    found.set(path, text);
    for (const [imported] of text.matchAll(imports)) open.push(join(dirname(path), imported));
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What is in a room of the reference is beside the core in a copy, which has no rooms. */
const places: Record<string, string> = {
  [types]: "types.ts",
  "reference/state/call-ids.ts": "call-ids.ts",
  "reference/state/check-session.ts": "session-rules.ts",
};

/** Where a file of the package stands in the copy. */
export function placeOf(path: string): string {
  return places[path] ?? (path.startsWith(own) ? basename(path) : path.slice("reference/".length));
}

/** A text whose imports hold where the file stands in the copy. */
function moved(path: string, text: string): string {
  return text.replace(imports, (imported) => {
    const to = relative(dirname(placeOf(path)), placeOf(join(dirname(path), imported)));
    return to.startsWith(".") ? to : `./${to}`;
  });
}

function typesOf(sources: Map<string, string>): string {
  const source = readFileSync(packagePath(typesOfLoop), "utf8");
  const used = [...sources.values()].flatMap((text) =>
    [...text.matchAll(/^import type \{([^}]*)\} from "[^"]*\/types\.ts"/gm)].flatMap(([, names]) =>
      names!.match(/\w+/g)!,
    ),
  );
  const [, open] = /^(\/\/ Messages, parts[^]*?)\n\n/m.exec(source)!;
  return `// The types of the specification that this copy uses.\n//\n${open}\n\n${neededTypes(source, used)}`;
}
