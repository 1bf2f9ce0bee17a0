// Reads the faults of conformance/mutants, and says with file and line which of them cannot be put into the reference.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { LineCounter, parse, parseDocument } from "yaml";
import { lineOf } from "../../kit/suite/case-file.ts";
import type { Fault } from "../../teaching/faults/faults.ts";

/** A small fault of the reference, and the requirement whose check has to find it. */
export type Mutant = Fault;

/** A requirement of which the reference has no mutant. */
export interface Exempt {
  requirement: string;
  reason: string;
}

/** A case that sees no fault of the requirement that it tests, and the reason for which it stays. */
export interface Idle {
  case: string;
  reason: string;
}

/** A mutant beside whose requirement many others are broken, and why. */
export interface Outlier {
  mutant: string;
  reason: string;
}

/** Everything that conformance/mutants says. */
export interface Mutants {
  mutants: Mutant[];
  none: Exempt[];
  idle: Idle[];
  outliers: Outlier[];
}

/** What is wrong in conformance/mutants. Has every problem, each with file and line. */
export class MutantError extends Error {
  override readonly name = "MutantError";
}

const folder = "conformance/mutants";
const special = ["none.yaml", "idle.yaml", "outliers.yaml"];

/**
 * Reads and checks every file of conformance/mutants.
 * @param root the folder of the project
 * @param isNeeded which mutants have to fit the reference as it is; the others are only read
 * @throws MutantError with every problem of every file
 */
export function readMutants(root: string, isNeeded: (mutant: Mutant) => boolean = () => true): Mutants {
  const problems: string[] = [];
  const fits = new Ajv2020({ allErrors: true }).compile(
    JSON.parse(readFileSync(join(root, folder, "schema.json"), "utf8")) as object,
  );
  const sources = new Map<string, string>();
  // A place is looked up only for a problem: the whole file is read again for it.
  const seen = new Map<string, () => string>();
  const mutants: Mutant[] = [];
  for (const name of readdirSync(join(root, folder)).sort()) {
    if (!name.endsWith(".yaml") || special.includes(name)) continue;
    const text = readFileSync(join(root, folder, name), "utf8");
    const at = (pointer: string) => `${folder}/${name}:${lineOf(text, pointer)}`;
    const lineCounter = new LineCounter();
    const document = parseDocument(text, { lineCounter, prettyErrors: false });
    if (document.errors.length > 0) {
      for (const { pos, message } of document.errors)
        problems.push(`${folder}/${name}:${lineCounter.linePos(pos[0]).line} this is not valid YAML: ${message}`);
      continue;
    }
    const list = document.toJS() as Mutant[];
    if (!fits(list)) {
      for (const { instancePath, message } of fits.errors ?? [])
        problems.push(`${at(instancePath)} ${instancePath}: ${message}; see ${folder}/schema.json`);
      continue;
    }
    for (const [index, mutant] of list.entries()) {
      const twin = seen.get(mutant.id);
      if (twin !== undefined)
        problems.push(`${at(`/${index}/id`)} ${mutant.id} is also the id of the mutant at ${twin()}`);
      seen.set(mutant.id, () => at(`/${index}/id`));
      const problem = isNeeded(mutant) ? cannotApply(mutant, sourceOf(root, mutant.file, sources)) : undefined;
      if (problem !== undefined) problems.push(`${at(`/${index}/replace`)} ${mutant.id}: ${problem}`);
    }
    mutants.push(...list);
  }
  if (problems.length > 0) throw new MutantError(problems.join("\n"));
  return {
    mutants,
    none: readList<Exempt>(root, "none.yaml"),
    idle: readList<Idle>(root, "idle.yaml"),
    outliers: readList<Outlier>(root, "outliers.yaml"),
  };
}

/** Why a mutant cannot be applied to the text of its file, or undefined if it can. */
export function cannotApply({ file, replace, by }: Mutant, source: string | undefined): string | undefined {
  if (source === undefined) return `there is no file ${file}; name the file that has the text now`;
  if (replace === by) return "`by` is the same as `replace`, so nothing would change";
  const lines: number[] = [];
  for (let at = source.indexOf(replace); at >= 0; at = source.indexOf(replace, at + 1))
    lines.push(source.slice(0, at).split("\n").length);
  if (lines.length === 1) return undefined;
  if (lines.length === 0)
    return `the text of \`replace\` does not stand in ${file}; the reference has changed: write the fault anew`;
  return `the text of \`replace\` stands in ${file} more than once (${lines.map((line) => `${file}:${line}`).join(", ")}); take in more of what is around it`;
}

function sourceOf(root: string, file: string, known: Map<string, string>): string | undefined {
  if (!known.has(file)) {
    try {
      known.set(file, readFileSync(join(root, file), "utf8"));
    } catch {
      return undefined;
    }
  }
  return known.get(file);
}

function readList<Entry>(root: string, name: string): Entry[] {
  return (parse(readFileSync(join(root, folder, name), "utf8")) ?? []) as Entry[];
}
