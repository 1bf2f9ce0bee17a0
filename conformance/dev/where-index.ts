// Makes the index that says where the reference keeps each requirement, has each fault, and uses each word of the closed lists.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { declarationOf } from "../teaching/explain/declarations.ts";
import { eventGrammar } from "../kit/checks/event-grammar.ts";
import { vocabularies, wordsOf } from "../teaching/explain/vocabularies.ts";
import { readFaults } from "../teaching/faults/faults.ts";
import type { Fault } from "../teaching/faults/faults.ts";
import { root } from "./schema-files.ts";

/** A line of the reference, and the declaration that it stands in. */
interface SourceLine {
  text: string;
  place: string;
}

/** Places that are kept of what stands in many. */
const most = 6;

/** The text of spec/where.json. */
export function whereIndex(): string {
  const lines = sourceFiles().flatMap(linesOf);
  const index = new Map<string, Set<string>>();
  const add = (name: string, place: string) => index.set(name, (index.get(name) ?? new Set()).add(place));
  for (const fault of readFaults()) for (const name of [fault.requirement, fault.id]) add(name, placeOfFault(fault));
  for (const { text, place } of lines) for (const id of idsIn(text)) add(id, place);
  for (const word of words()) for (const { place } of linesThatSay(word, lines)) add(word.name, place);
  const sorted = [...index].sort(([left], [right]) => left.localeCompare(right, "en", { numeric: true }));
  const entries = sorted.map(
    ([name, places]) => `  ${JSON.stringify(name)}: ${JSON.stringify([...places].slice(0, most))}`,
  );
  return `{\n${entries.join(",\n")}\n}\n`;
}

/** The core first, then what is around it, then the adapters: who asks where something is done wants the plainest place. */
function sourceFiles(): string[] {
  const files = readdirSync(join(root, "reference"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !/^(bench|examples|testing)\//.test(name))
    .sort();
  const rank = (name: string) => (name.startsWith("core/") ? 0 : /^(providers|stores)\//.test(name) ? 2 : 1);
  return files.sort((left, right) => rank(left) - rank(right)).map((name) => `reference/${name}`);
}

/** A comment belongs to the declaration that follows it. */
function linesOf(file: string): SourceLine[] {
  const lines = readFileSync(join(root, file), "utf8").split("\n");
  let declaration = "";
  const found: SourceLine[] = [];
  let waiting: string[] = [];
  for (const text of lines) {
    const declared = declarationOf(text);
    const isComment = /^(\/\*\*| \*|\/\/)/.test(text);
    if (declared !== undefined) declaration = declared;
    if (isComment) {
      waiting.push(text);
      continue;
    }
    for (const comment of waiting)
      if (declaration !== "") found.push({ text: comment, place: `${file}#${declaration}` });
    waiting = [];
    if (declaration !== "") found.push({ text, place: `${file}#${declaration}` });
  }
  return found;
}

/** The ids that a comment names: `@see LOOP-9 LOOP-10`, `// [LOOP-9, LOOP-10]`. */
function idsIn(text: string): string[] {
  const comment = /(@see|\/\/|\/\*|^ \*).*/.exec(text)?.[0] ?? "";
  return comment.match(/\b[A-Z]+-[1-9]\d*\b/g) ?? [];
}

/** Where a fault of the kill matrix is put in, among the very lines that keep its requirement. */
function placeOfFault({ file, replace }: Fault): string {
  const source = readFileSync(join(root, file), "utf8");
  const end = source.indexOf("\n", source.indexOf(replace));
  const declared = source
    .slice(0, end)
    .split("\n")
    .flatMap((line) => declarationOf(line) ?? []);
  return `${file}#${declared.at(-1)}`;
}

/** A word of a closed list, and the fields and functions that take it. */
interface Word {
  name: string;
  word: string;
  fields: readonly string[];
}

function words(): Word[] {
  return [
    ...vocabularies
      .filter(({ isOfKit = false }) => !isOfKit)
      .flatMap((vocabulary) => {
        const fields = [...vocabulary.fields, ...(vocabulary.takers ?? [])];
        return wordsOf(vocabulary).map((word) => ({ name: `${vocabulary.type}.${word}`, word, fields }));
      }),
    ...Object.keys(eventGrammar().events).map((word) => ({ name: `Event.${word}`, word, fields: ["type"] })),
  ];
}

/** The lines that give the word to one of its fields, or have it as the key of a row; where there is none, all that say it. */
function linesThatSay({ word, fields }: Word, lines: readonly SourceLine[]): SourceLine[] {
  const saying = lines.filter(({ text }) => text.includes(`"${word}"`) || text === `  ${word}: {`);
  const given = new RegExp(`\\b(${fields.join("|")})\\b.*[?:=(,] ?"${word}"|^  ${word}: \\{`);
  const own = saying.filter(({ text }) => given.test(text));
  return own.length > 0 ? own : saying;
}
