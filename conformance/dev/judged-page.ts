// Writes spec/kit/judged.md: how each requirement is judged that no case tests.

import { existsSync, readFileSync } from "node:fs";
import { basename, join, posix } from "node:path";
import type { Requirement } from "../kit/suite/catalogue.ts";
import type { Suite } from "../kit/index.ts";
import { casesOf, sectionAt } from "./feature-data.ts";
import { root } from "./schema-files.ts";

/** How a requirement without a case is judged; one of these. */
export interface Judgement {
  /** Files with tests of this project that name the requirement in their titles; another implementation has its own. */
  tests?: string[];
  /** The cases of these requirements cannot pass without it. */
  cases_of?: string[];
  /** No case passes without it. */
  every_case?: true;
  /** A command of the kit. */
  command?: string;
  /** A schema, with a counterexample for each fault. */
  schema?: string;
  /** What a person asks who reads the implementation. */
  reading?: string;
}

type Known = Pick<Suite, "cases" | "catalogue">;

/** How each is judged, by id, as spec/judged.json has it. */
export function readJudgements(): Record<string, Judgement> {
  return JSON.parse(readFileSync(join(root, "spec/judged.json"), "utf8")) as Record<string, Judgement>;
}

/**
 * The text of spec/kit/judged.md.
 * @throws Error that lists every requirement that neither a case nor anything else judges, and everything else that is wrong
 */
export function judgedPage({ cases, catalogue }: Known, judgements = readJudgements()): string {
  const mistakes = judgementMistakes({ cases, catalogue }, judgements);
  if (mistakes.length > 0) throw new Error(mistakes.join("\n"));
  const all = [...catalogue.requirements.values()].filter(({ untestable }) => untestable !== undefined);
  const byFile = Map.groupBy(all, ({ file }) => file);
  return `# Judged without a case

To conform means to keep the requirements. Cases are evidence for ${catalogue.requirements.size - all.length} of the ${catalogue.requirements.size}; of the other ${all.length} this page says how they are judged. Where it names tests, they are those of this project: another loop, recorder or kit has tests of its own, and its makers say where. The titles of the tests that would be red end with the ids of what they show, such as \`[JOURNAL-13]\`.
This page is made by \`npm run generate\` from [\`judged.json\`](../judged.json) and the chapters; do not edit it.

${[...byFile].map(([file, own]) => section(file, own, judgements)).join("\n\n")}

## Implementation-defined

Nothing.
`;
}

function section(file: string, own: readonly Requirement[], judgements: Record<string, Judgement>): string {
  const rows = own.map((one) => {
    const link = posix.relative("kit", sectionAt(one).link);
    return `| [${one.id}](${link}) | ${plain(one.text)} | ${inWords(judgements[one.id]!)} |`;
  });
  return `## ${sectionAt({ file, line: 1 }).title}\n\n| requirement | says | judged by |\n|---|---|---|\n${rows.join("\n")}`;
}

function inWords({ tests, cases_of, every_case, command, schema, reading }: Judgement): string {
  if (tests) return tests.map((file) => `\`${file}\``).join(", ");
  if (cases_of) return `the cases of ${cases_of.join(" and ")}, which cannot pass without it`;
  if (every_case) return "every case: none passes without it";
  if (command !== undefined) return `\`${command}\``;
  if (schema !== undefined) return `[${basename(schema)}](../../${schema}), with a counterexample for each fault`;
  return `reading: ${reading!}`;
}

/** What spec/judged.json leaves out or says that is not so. One line each. */
export function judgementMistakes({ cases, catalogue }: Known, judgements: Record<string, Judgement>): string[] {
  const mistakes: string[] = [];
  for (const { id, untestable } of catalogue.requirements.values()) {
    const judgement = judgements[id];
    if (untestable !== undefined && judgement === undefined)
      mistakes.push(`${id} has no case: say how else it is judged`);
    if (untestable === undefined && judgement !== undefined)
      mistakes.push(`${id} is tested by cases, so it is not listed here`);
  }
  for (const [id, judgement] of Object.entries(judgements)) {
    const { tests = [], cases_of = [], schema } = judgement;
    if (!catalogue.requirements.has(id)) mistakes.push(`there is no requirement ${id}`);
    if (Object.keys(judgement).length !== 1 || (judgement.tests && tests.length === 0))
      mistakes.push(`${id} is judged in exactly one way, and that names something`);
    for (const file of [...tests, ...(schema === undefined ? [] : [schema])])
      if (!existsSync(join(root, file))) mistakes.push(`${id}: there is no file ${file}`);
      else if (file !== schema && !shownIn(file).has(id)) mistakes.push(`${id}: no test of ${file} names it`);
    for (const other of cases_of)
      if (casesOf(other, cases).length === 0) mistakes.push(`${id}: no case tests ${other}`);
  }
  return mistakes.map((mistake) => `spec/judged.json: ${mistake}`);
}

/** The requirements that the titles of a file's tests name at their ends, as `refuses what it cannot read [JOURNAL-13]` does. */
function shownIn(file: string): Set<string> {
  return requirementsInTitles(readFileSync(join(root, file), "utf8"));
}

/**
 * The requirements that tests name at the ends of their titles, in brackets. A test that is skipped shows nothing.
 * @param text of a file with tests
 */
export function requirementsInTitles(text: string): Set<string> {
  const titles = [...text.matchAll(titleOfTest)].flatMap(({ groups }) => groups!["title"]!);
  return new Set(titles.flatMap((title) => title.match(atEnd)?.[0].match(/[A-Z]+-\d+/g) ?? []));
}

/** A title: the first argument of a test, or of what makes tests of a table. Formatted code has it on one line. */
const titleOfTest =
  /(?:\b(?:it|test)(?:\.(?!skip\b|todo\b)\w+)*(?:<[^\n]*>)?|\)|\]|`)\(\s*(?<quote>["'`])(?<title>[^\n]*?)\k<quote>,/g;
const atEnd = /\[[A-Z]+-\d+(?:, [A-Z]+-\d+)*\]$/;

/** A text that may stand in a cell: without links, because these hold elsewhere, and without bars. */
function plain(text: string): string {
  return text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("|", "\\|");
}
