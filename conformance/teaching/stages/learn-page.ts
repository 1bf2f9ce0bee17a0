// What `learn` says: the list of the stages, a stage as a page, its cases, and the lines of the reference that do it.

import { existsSync, readFileSync } from "node:fs";
import type { TrackProgress } from "../../../schemas/types.ts";
import { commandLine } from "../../kit/base/cli-name.ts";
import type { Suite, SuiteCase } from "../../kit/index.ts";
import { packagePath, packageRoot } from "../../kit/base/package-root.ts";
import { counted } from "../../kit/base/plural.ts";
import { shownPath } from "../../kit/base/display-path.ts";
import type { ExaminedStage, Stage } from "./stages.ts";

/** Whose loop it is, as far as it is known. */
export interface Learner {
  folder: string;
  /** What names the folder again on a command line, with a blank before it; empty for the one that commands run in. */
  argument: string;
  progress: TrackProgress;
}

const width = 118;
/** What fits on two screens: a page that would be longer says less of its cases. */
const maxLines = 50;

const places: Record<Stage["on"][number], string> = {
  generic: "on the generic seam",
  json: "over HTTP in JSON",
  streamed: "over HTTP as a stream",
};

/** All stages, where the loop is, and what to do. */
export function overviewLines(stages: readonly Stage[], { argument, progress }: Learner): string[] {
  const here = stages.find(({ name }) => progress.passed[name] === undefined);
  const core = stages.findLast(({ on, features }) => on.includes("generic") && features === undefined);
  const begin = [
    `begin:               ${commandLine} learn start --lang python <folder>`,
    `in another language: ${commandLine} learn 1  says how`,
  ];
  return [
    "Write an agent loop of your own, stage by stage. The examiner needs no model and no key.",
    "",
    ...stages.flatMap((stage) => {
      const mark = progress.passed[stage.name] !== undefined ? "passed" : stage === here ? "here" : "";
      const line = `${String(stage.number).padStart(2)}  ${stage.title.padEnd(40)} ${mark}`.trimEnd();
      return stage === core
        ? [line, `    -- a loop that has come here is certified for the profiles core and portable --`]
        : [line];
    }),
    "",
    ...(Object.keys(progress.passed).length > 0 ? [] : begin),
    ...(here
      ? [
          `what is next:        ${commandLine} learn ${here.number}${argument}`,
          `have it examined:    ${commandLine} test --driver ${argument.trim() || "."} --stage ${here.number}`,
        ]
      : ["Every stage is passed."]),
  ];
}

/**
 * A stage as a page.
 * @param broken which loops of others break what it is about, if any are known
 */
export function pageLines(
  divided: readonly ExaminedStage[],
  stage: Stage,
  { argument, progress }: Learner,
  suite: Suite,
  broken?: string,
): string[] {
  const passed = progress.passed[stage.name];
  const opened = progress.hints[stage.name] ?? 0;
  const rows = [
    ["examine:", `test --driver ${argument.trim() || "."} --stage ${stage.number}`],
    ["what each case is about:", `learn ${stage.number} --cases`],
    ["what is said in a case:", `repro <case> ${variantOf(stage)}`],
    [`hints, ${opened} of ${stage.hints.length} open:`, `learn ${stage.number}${argument} --hint`],
    ["the reference does it so:", `learn ${stage.number} --reference`],
  ].map(([what, command]) => `${what!.padEnd(26)} ${commandLine} ${command}`);
  if (broken !== undefined) rows.push(`${"real loops get it wrong:".padEnd(26)} ${broken}`);
  const before = [
    `Stage ${stage.number} of ${divided.length}: ${stage.title}${passed === undefined ? "" : " (passed)"}`,
    ...["", "Idea", ...stage.idea.split("\n")],
    ...["", "Task", ...stage.task.split("\n"), ""],
  ];
  const after = ["", ...rows, ...whereFilesAre([stage.task])];
  const room = maxLines - before.length - after.length;
  return [...before, ...examinedLines(divided, stage, suite, room), ...after];
}

/** Where the files are that a text names, if it names any. */
export function whereFilesAre(texts: readonly string[]): string[] {
  const isNamed = texts.some((text) => /\b(spec|schemas)\/\w/.test(text));
  return isNamed ? [`${"the files are in:".padEnd(26)} ${shownPath(packageRoot())}`] : [];
}

/** Every case of a stage with its title. */
export function caseLines(divided: readonly ExaminedStage[], stage: Stage): string[] {
  const cases = new Map(selectedOf(divided, stage).map(({ entry }) => [entry.id, entry]));
  return [...cases.values()].map(({ id, case: source }) => `${id}  ${source.requires[0]}  ${source.title}`);
}

/** The lines of the reference that do it, or where they are if the package has not got them. */
export function referenceLines({ reference }: Stage): string[] {
  return reference.flatMap((place, index) => {
    const [file, name] = place.split("#") as [string, string];
    const before = index === 0 ? [] : [""];
    const path = packagePath(file);
    if (!existsSync(path))
      return [
        ...before,
        `${file}, ${name}: this package has no sources of it; they are in the repository of the project`,
      ];
    const found = declarationOf(readFileSync(path, "utf8"), name);
    if (found === undefined) return [...before, `${file} does not declare ${name}`];
    const numbered = found.lines.map((line, at) => `${String(found.line + at).padStart(4)}  ${line}`);
    return [...before, `${shownPath(path)}:${found.line}`, ...numbered.map((line) => line.trimEnd())];
  });
}

/** What a formatted file of TypeScript declares under a name at its outermost level, with the comment before it. */
export function declarationOf(text: string, name: string): { line: number; lines: string[] } | undefined {
  const lines = text.split("\n");
  const begins = new RegExp(`^(export )?(async )?(function|const|class|interface|type) ${name}\\b`);
  const declared = lines.findIndex((line) => begins.test(line));
  if (declared < 0) return undefined;
  let first = declared;
  while (/^(\/\*\*| \*|\/\/)/.test(lines[first - 1] ?? "")) first -= 1;
  const last = lines.findIndex((line, at) => at >= declared && /^(?!\s).*[};]$/.test(line));
  return { line: first + 1, lines: lines.slice(first, last + 1) };
}

/**
 * What the examiner runs, in at most so many lines: each requirement with its cases if there is room for it, else the cases, else
 * those that no earlier stage has, and at last how many there are in each folder.
 */
function examinedLines(divided: readonly ExaminedStage[], stage: Stage, suite: Suite, room: number): string[] {
  const ids = new Set(idsOf(selectedOf(divided, stage)));
  const earlier = new Set(divided.slice(0, stage.number - 1).flatMap((one) => idsOf(one.selected)));
  const all = suite.cases.filter(({ id }) => ids.has(id));
  const own = all.filter(({ id }) => !earlier.has(id));
  const again =
    own.length < all.length ? [`${counted(all.length - own.length, "case")} of earlier stages once more`] : [];
  const fitting = [byRequirement(all, suite), byId(all), [...again, ...byId(own)]].find(({ length }) => length < room);
  const where = stage.on.map((place) => places[place]).join(", ");
  return [`Cases (${all.length}) ${where}`, ...(fitting ?? [...again, ...byFolder(own)])];
}

function byRequirement(cases: readonly SuiteCase[], { catalogue }: Suite): string[] {
  return [...Map.groupBy(cases, ({ case: { requires } }) => requires[0]!)].flatMap(([id, tests]) => [
    ...wrapped(`${id} ${catalogue.requirements.get(id)?.text ?? ""}`),
    ...wrapped(tests.map((entry) => entry.id).join(", "), "    "),
  ]);
}

function byId(cases: readonly SuiteCase[]): string[] {
  return wrapped(cases.map(({ id }) => id).join(", "));
}

function byFolder(cases: readonly SuiteCase[]): string[] {
  const folders = Map.groupBy(cases, ({ id }) => id.split("/", 1)[0]!);
  return [...folders].map(([folder, { length }]) => `${length} of ${folder}/`);
}

function idsOf(selected: ExaminedStage["selected"]): string[] {
  return selected.map(({ entry }) => entry.id);
}

function selectedOf(divided: readonly ExaminedStage[], stage: Stage): ExaminedStage["selected"] {
  return divided[stage.number - 1]!.selected;
}

/** A variant as `repro` takes it. */
function variantOf({ on: [place] }: Stage): string {
  return place === "generic" ? "generic" : `openai-chat/${place}`;
}

/** A text in lines that are not too long, which begin with `indent`. */
function wrapped(text: string, indent = ""): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(`${indent}${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
