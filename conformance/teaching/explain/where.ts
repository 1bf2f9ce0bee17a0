// Says where the reference keeps a requirement or uses a word: file, line and the function around it.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packagePath } from "../../kit/base/package-root.ts";
import { shownPath } from "../../kit/base/display-path.ts";
import { declarationOf } from "./declarations.ts";

/** The index: what is kept or used, and the places as `file#declaration`. Written by `npm run generate`. */
const whereFile = "spec/where.json";

type Index = Record<string, string[]>;

let index: Index | undefined;

/**
 * The places, as `file:line  declaration`, the nearest to the core first. The line is looked up in the file as it is, or, where the
 * package has no sources, in what was built of it.
 * @param name a requirement, a fault, or a word with the type of its list, such as `RunStatus.cancelled`
 */
export function placesOf(name: string): string[] {
  return indexedPlaces(name).map(inFile);
}

/** The places as they stand in the index, as `file#declaration`. */
export function indexedPlaces(name: string): readonly string[] {
  index ??= JSON.parse(readFileSync(packagePath(whereFile), "utf8")) as Index;
  return index[name] ?? [];
}

function inFile(place: string): string {
  const [file, declaration] = place.split("#") as [string, string];
  const built = join("dist", file.replace(/\.ts$/, ".js"));
  for (const path of [file, built].map((name) => packagePath(name))) {
    const line = linesOf(path).get(declaration);
    if (line !== undefined) return `${shownPath(path)}:${line}  ${declaration}`;
  }
  return `${file}  ${declaration}`;
}

const read = new Map<string, Map<string, number>>();

/** The line of each declaration of a file; empty if there is no such file. */
function linesOf(path: string): Map<string, number> {
  const known = read.get(path);
  if (known) return known;
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const lines = text.split("\n").flatMap((line, at) => {
    const declared = declarationOf(line);
    return declared === undefined ? [] : [[declared, at + 1] as const];
  });
  // The first one stays: of overloads it has the comment.
  const first = new Map(lines.toReversed());
  read.set(path, first);
  return first;
}
