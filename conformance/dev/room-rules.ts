// Makes the rules of the linter for what each room may import, so that an import which it may not is seen where it is written. A
// circle that `import()` closes they do not see: the test on the graph of all imports does.

import { dirname, relative } from "node:path/posix";
import { isForTests, roomOf, sources } from "./room-imports.ts";
import { messageOf } from "./room-words.ts";
import { isFile, isPackage, pending, rooms, type Room } from "./rooms.ts";

interface Override {
  files: string[];
  excludeFiles?: string[];
  rules: Record<string, unknown>;
}

/** The text of .oxlintrc.rooms.json, which .oxlintrc.json extends. */
export function roomRulesFile(): string {
  const files = sources().filter((path) => path.endsWith(".ts") && !isForTests(path));
  const overrides = rooms.flatMap((room) => {
    const folders = files.filter((path) => roomOf(path) === room).map((path) => dirname(path));
    return [...new Set(folders)].flatMap((folder) => ruleFor(room, folder));
  });
  const lines = [...overrides, ...unfinished()].map((override) => `    ${JSON.stringify(override)}`);
  return `{\n  "overrides": [\n${lines.join(",\n")}\n  ]\n}\n`;
}

/** A specifier is matched as it is written, so there is a rule for each folder of a room. */
function ruleFor(room: Room, folder: string): Override[] {
  const { path, imports, types = [], apart } = room;
  if (imports === "everything") return [];
  const specifier = (place: string) => (isPackage(place) ? place : from(folder, place));
  const own = apart || isFile(path) ? [] : [path];
  const allowed = [...own, ...imports, ...types, "schemas/types.ts"].map(specifier).flatMap(allow);
  const message = messageOf(room);
  // The group comes last: what it lets pass is not held against the patterns after it.
  const patterns = [
    ...types.map((place) => ({ regex: beginning(specifier(place)), allowTypeImports: true, message })),
    { group: ["*", ...new Set(allowed), "**/testing/**"], message },
  ];
  return [
    {
      files: [isFile(path) ? path : `${folder}/*.ts`],
      excludeFiles: ["**/*.test.ts", "**/testing/**"],
      rules: { "eslint/no-restricted-imports": ["error", { patterns }] },
    },
  ];
}

/** How a file in a folder names another place. */
function from(folder: string, place: string): string {
  const way = relative(folder, place) || ".";
  return way.startsWith(".") ? way : `./${way}`;
}

function beginning(specifier: string): string {
  return `^${specifier.replaceAll(".", String.raw`\.`)}(/|$)`;
}

/** The patterns that let a specifier pass. A folder above the file lets pass what is in it, and nothing that is above that. */
function allow(specifier: string): string[] {
  if (specifier === "node:*") return ["!node:*", "!node:*/**"];
  if (specifier.endsWith(".ts")) return [`!${specifier}`];
  if (!specifier.startsWith(".")) return [`!${specifier}`, `!${specifier}/**`];
  if (!specifier.endsWith("..")) return [`!${specifier}/**`];
  const inside = specifier === ".." ? ["!./**"] : allow(dirname(specifier));
  return [...inside, `!${specifier}/[!.]*`, `!${specifier}/[!.]*/**`];
}

/** What is pending is left to the test on the graph, which sees more. */
function unfinished(): Override[] {
  const files = Object.keys(pending);
  if (files.length === 0) return [];
  return [{ files, rules: { "eslint/no-restricted-imports": "off", "import/no-cycle": "error" } }];
}
