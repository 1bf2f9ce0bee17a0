// The imports of all sources, and which of them the rooms do not allow: type imports and `import()` count, too.

import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { rooms, type Room } from "./rooms.ts";
import { root } from "./schema-files.ts";

/** One import of a source: of another source, by its path, or of a package. */
export interface Import {
  from: string;
  to: string;
  typesOnly: boolean;
}

const importing =
  /^\s*(?:import|export)\s+(?<types>type\s)?[^;"'`]*?\bfrom\s*["'](?<from>[^"']+)["']|^\s*import\s*["'](?<effect>[^"']+)["']|(?<typeof>typeof\s+)?\bimport\(\s*["'](?<loaded>[^"']+)["']/gm;

/** Every source of the project, its tests too; the driver and the scripts of a peer import packages that the project does not have. */
export function sources(): string[] {
  return globSync("{schemas,reference,conformance}/**/*.{ts,js,mjs}", { cwd: root, exclude: ["**/node_modules/**"] })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !/^conformance\/peers\/(?!shared\/).+\//.test(path))
    .toSorted();
}

/** Every import of these sources. What leads to no source is data, or the text of a program that is written somewhere. */
export function importsOf(
  paths: readonly string[],
  read = (path: string) => readFileSync(join(root, path), "utf8"),
): Import[] {
  const known = new Set(paths);
  return paths.flatMap((from) =>
    [...read(from).matchAll(importing)].flatMap(({ groups = {} }) => {
      const specifier = (groups.from ?? groups.effect ?? groups.loaded)!;
      const to = specifier.startsWith(".") ? join(dirname(from), specifier) : specifier;
      const typesOnly = (groups.types ?? groups.typeof) !== undefined;
      return specifier.startsWith(".") && !known.has(to) ? [] : [{ from, to, typesOnly }];
    }),
  );
}

const inward = rooms.toSorted((a, b) => b.path.length - a.path.length);
const roomsByFile = new Map<string, Room>();

/** The room in which a file stands: the innermost one. */
export function roomOf(path: string): Room | undefined {
  const known = roomsByFile.get(path);
  if (known !== undefined) return known;
  const room = inward.find(({ path: place }) => isIn(path, place));
  if (room) roomsByFile.set(path, room);
  return room;
}

/** Whether a file is a test, or stands in for something in tests. */
export function isForTests(path: string): boolean {
  return path.endsWith(".test.ts") || path.includes("/testing/");
}

/** Whether the rooms allow an import. */
export function isAllowed({ from, to, typesOnly }: Import): boolean {
  if (isForTests(from)) return true;
  if (isForTests(to)) return false;
  const room = roomOf(from);
  if (!room) return false;
  if (room.imports === "everything" || to === "schemas/types.ts") return true;
  if (!room.apart && roomOf(to) === room) return true;
  return [...room.imports, ...(typesOnly ? (room.types ?? []) : [])].some((allowed) => isIn(to, allowed));
}

/** The circles of files: each the files that import each other, by whatever way. */
export function circlesOf(imports: readonly Import[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to]);
  const reached = new Map([...next.keys()].map((file) => [file, reachedFrom(file, next)]));
  const found = new Map<string, string[]>();
  for (const [file, files] of reached) {
    if (!files.has(file)) continue;
    const circle = [...files].filter((other) => reached.get(other)?.has(file)).toSorted();
    found.set(circle.join(), circle);
  }
  return [...found.values()];
}

function reachedFrom(file: string, next: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const ahead = [file];
  for (let at = ahead.pop(); at !== undefined; at = ahead.pop()) {
    for (const to of next.get(at) ?? []) {
      if (reached.has(to)) continue;
      reached.add(to);
      ahead.push(to);
    }
  }
  return reached;
}

/** Whether a path is this file, or in this folder; `node:*` has everything of Node. */
function isIn(path: string, place: string): boolean {
  return place === "node:*" ? path.startsWith("node:") : path === place || path.startsWith(`${place}/`);
}
