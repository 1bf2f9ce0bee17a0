// Counts the real bugs by what goes wrong in them, for the page about what people get wrong.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { root } from "./schema-files.ts";

/** One way to go wrong, as it stands in spec/mistakes.json. */
interface Mistake {
  /** What goes wrong, in one sentence. */
  mistake: string;
  /** What is broken then: `LOOP-9`, `LOOP-9..13` or `LOOP-*`. The first is where a reader begins. */
  requirements: string[];
  /** One of the bugs, for an example. */
  bug: string;
}

interface Bug {
  symptom: string;
  links: string[];
  cases?: string[];
}

/** A mistake with its bugs, by their names. */
export interface Counted extends Mistake {
  bugs: string[];
}

/**
 * Every real bug that a case answers, under the first mistake that breaks a requirement which one of its cases tests.
 * @throws Error if a bug belongs to no mistake, or the example of a mistake is none of its bugs
 */
export function countedMistakes(): Counted[] {
  const mistakes = JSON.parse(read("spec/mistakes.json")) as Mistake[];
  const counted = mistakes.map((mistake): Counted => ({ ...mistake, bugs: [] }));
  for (const [name, { cases = [] }] of Object.entries(bugs())) {
    if (cases.length === 0) continue;
    const broken = cases.map(testedBy);
    const own = counted.find(({ requirements }) => requirements.some((range) => broken.some((id) => isIn(id, range))));
    if (!own)
      throw new Error(`spec/mistakes.json has no mistake for the bug ${name}, which breaks ${broken.join(", ")}`);
    own.bugs.push(name);
  }
  const wrong = counted.find(({ bug, bugs }) => !bugs.includes(bug));
  if (wrong)
    throw new Error(`spec/mistakes.json: ${wrong.bug} is an example of another mistake than "${wrong.mistake}"`);
  return counted;
}

/** The table, with the most frequent mistake first. */
export function mistakeTable(): string {
  const known = bugs();
  const counted = countedMistakes().sort((a, b) => b.bugs.length - a.bugs.length);
  const answered = counted.reduce((sum, { bugs }) => sum + bugs.length, 0);
  return [
    "| real bugs | what goes wrong | one of them | begin with |",
    "|---|---|---|---|",
    ...counted.map(({ mistake, requirements: [begin], bug, bugs }) => {
      const { symptom, links } = known[bug]!;
      return `| ${bugs.length} | ${mistake} | ${symptom} [Seen](${links[0]}) | ${begin!.replace(/\.\..*/, "")} |`;
    }),
    `| ${answered} | of ${Object.keys(known).length}; no case answers the others | | |`,
  ].join("\n");
}

function bugs(): Record<string, Bug> {
  return parse(read("conformance/bugs.yaml")) as Record<string, Bug>;
}

function testedBy(id: string): string {
  // A case is long, and this is asked of hundreds.
  const [lines] = /^requires:[^]*?(?=^\S)/m.exec(read(`conformance/cases/${id}.yaml`))!;
  const { requires } = parse(lines) as { requires: string[] };
  return requires[0]!;
}

function isIn(id: string, range: string): boolean {
  const [prefix, number] = split(id);
  const [ofRange, numbers] = split(range);
  const [first, last = first] = numbers.split("..").map(Number);
  return prefix === ofRange && (numbers === "*" || (Number(number) >= first! && Number(number) <= last!));
}

function split(id: string): [prefix: string, rest: string] {
  const at = id.indexOf("-");
  return [id.slice(0, at), id.slice(at + 1)];
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}
