// Says what a room is for and what it may import: in the messages of the linter, and in the tables of CONTRIBUTING.md.

import { basename, dirname } from "node:path/posix";
import { isFile, isPackage, rooms, type Room } from "./rooms.ts";

/** The message of the rule that holds a room. */
export function messageOf(room: Room): string {
  const { path, purpose, apart, because } = room;
  const may = listed([...(apart ? [] : ["itself"]), "schemas/types.ts", ...grantsOf(room)]);
  return [`${nameOf(path)} — ${purpose}`, `It may import ${may}.`, because].filter(Boolean).join(" ");
}

/** The rooms of a tree, bottom to top, as a table in markdown. */
export function roomTable(tree: "reference" | "conformance"): string {
  const rows = rooms
    .filter(({ path }) => path.startsWith(`${tree}/`))
    .map((room) => {
      const grants = listed(grantsOf(room, code)) || "nothing else";
      const own = room.apart ? "; no other file of its own" : "";
      return `| [${code(nameOf(room.path, tree))}](${room.path}) | ${room.purpose} | ${grants}${own} |`;
    });
  return ["| room | what it is for | may import |", "|---|---|---|", ...rows].join("\n");
}

/** What a room may import besides itself and the types in `schemas/`; its own tree is not named. */
function grantsOf({ path, imports, types = [] }: Room, written = (name: string) => name): string[] {
  if (imports === "everything") return ["everything"];
  const [tree] = path.split("/");
  const words = (places: readonly string[]) => joined(places.map((place) => nameOf(place, tree))).map(written);
  return [...words(imports), ...words(types).map((name) => `types of ${name}`)];
}

/** Folders that stand in one folder are named together. */
function joined(names: readonly string[]): string[] {
  const together = Map.groupBy(names, (name) => (/.\/.*\/$/.test(name) ? dirname(name) : name));
  return [...together].map(([folder, all]) => {
    return all.length < 2 ? all[0]! : `${folder}/{${all.map((name) => basename(name)).join(",")}}/`;
  });
}

/** How a place is called in its tree: a folder with a slash at its end, a file and a package as they are. */
function nameOf(place: string, tree = ""): string {
  const name = place.startsWith(`${tree}/`) ? place.slice(tree.length + 1) : place;
  return isPackage(place) || isFile(place) ? name : `${name}/`;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function code(text: string): string {
  return `\`${text}\``;
}
