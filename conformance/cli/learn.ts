// The command `learn`: the stages of the track, one of them as a page, its hints, and the lines of the reference that do it.

import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import colors from "picocolors";
import { commandLine } from "../kit/base/cli-name.ts";
import { loadSuite } from "../kit/index.ts";
import { packagePath } from "../kit/base/package-root.ts";
import { readMatrix } from "../matrix/matrix-file.ts";
import { brokenByOthers, brokenWords } from "../matrix/real-loops.ts";
import { quoteWord } from "../kit/driver/quote-word.ts";
import { progressFile, progressText, readProgress } from "../teaching/stages/progress.ts";
import { divide, findStage, readStages } from "../teaching/stages/stages.ts";
import type { ExaminedStage, Stage } from "../teaching/stages/stages.ts";
import { caseLines, overviewLines, pageLines, referenceLines, whereFilesAre } from "../teaching/stages/learn-page.ts";
import type { Learner } from "../teaching/stages/learn-page.ts";
import { fitted } from "./shared/fitted.ts";
import { wantsColor } from "./shared/terminal.ts";
import { unknownStage } from "./test-stage.ts";
import { UsageError } from "../kit/base/usage-error.ts";
import { writeWhole } from "./shared/write-file.ts";

/** The options of the command line. */
export interface LearnOptions {
  lang?: string;
  hint?: boolean;
  reference?: boolean;
  cases?: boolean;
}

/** Prints what was asked for; opens a hint, or writes a starter, where that was asked for. */
export async function learn(
  wanted: string | undefined,
  folder: string | undefined,
  options: LearnOptions,
): Promise<void> {
  if (wanted === "start") return (await import("./learn-start.ts")).startLoop(folder ?? ".", options.lang);
  if (options.lang !== undefined)
    throw new UsageError(`--lang is for a starter: ${commandLine} learn start --lang ${options.lang} <folder>`);
  const stages = readStages();
  const isFolder = folder === undefined && wanted !== undefined && !findStage(stages, wanted) && existsSync(wanted);
  const learner = learnerIn(isFolder ? wanted : folder);
  const stage = wanted === undefined || isFolder ? undefined : findStage(stages, wanted);
  if (stage === undefined && wanted !== undefined && !isFolder) throw new UsageError(unknownStage(wanted, stages));
  print(await linesOf(stage, stages, learner, options));
}

async function linesOf(
  stage: Stage | undefined,
  stages: readonly Stage[],
  learner: Learner,
  options: LearnOptions,
): Promise<string[]> {
  if (stage === undefined) {
    const [wrong] = (["hint", "reference", "cases"] as const).filter((name) => options[name]);
    if (wrong !== undefined) throw new UsageError(`--${wrong} needs a stage: ${commandLine} learn 1 --${wrong}`);
    return overviewLines(stages, learner);
  }
  if (options.hint) return openHint(stage, learner);
  if (options.reference) return referenceLines(stage);
  const suite = await loadSuite();
  const divided = await divide(stages, suite);
  return options.cases
    ? caseLines(divided, stage)
    : pageLines(divided, stage, learner, suite, realLoops(divided, stage));
}

/** Which loops of others break what the cases of a stage are about. */
function realLoops(divided: readonly ExaminedStage[], stage: Stage): string | undefined {
  const selected = divided.find((one) => one.stage.name === stage.name)?.selected ?? [];
  const ids = selected.map(({ entry }) => entry.case.requires[0]!);
  const broken = brokenByOthers(readMatrix(packagePath("conformance/matrix/matrix.json")), ids);
  return broken.length === 0 ? undefined : broken.slice(0, 2).map(brokenWords).join("; ");
}

/** Every hint that is open, and the next one. */
function openHint({ number, name, hints }: Stage, { folder, argument, progress }: Learner): string[] {
  if (!existsSync(join(folder, "agent-loop.json")))
    throw new UsageError(
      `${folder} has no agent-loop.json, so it is not known which hints are open; name the folder of your loop: ` +
        `${commandLine} learn ${number} <folder> --hint`,
    );
  const open = Math.min((progress.hints[name] ?? 0) + 1, hints.length);
  writeWhole(join(folder, progressFile), progressText({ ...progress, hints: { ...progress.hints, [name]: open } }));
  const rest =
    open < hints.length
      ? `${hints.length - open} more: ${commandLine} learn ${number}${argument} --hint`
      : `There is no further hint. The reference does it so: ${commandLine} learn ${number} --reference`;
  const shown = hints.slice(0, open);
  return [
    ...shown.map((hint, index) => `${index + 1}. ${hint.replaceAll("\n", "\n   ")}`),
    ...["", rest, ...whereFilesAre(shown)],
  ];
}

/** @throws UsageError if it is no folder, or the file in it is none of this kit's */
function learnerIn(named: string | undefined): Learner {
  const folder = named ?? ".";
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${folder} is not a folder; name the one of your loop, in which its agent-loop.json is`);
  const argument = named === undefined || named === "." ? "" : ` ${quoteWord(named)}`;
  return { folder, argument, progress: readProgress(folder) };
}

/** What a page says in `code` or as a heading is coloured, where colours are wanted. */
function print(lines: readonly string[]): void {
  const paint = colors.createColors(wantsColor(process.stdout, process.env));
  for (const line of fitted(lines, process.stdout.columns)) {
    const isHeading = /^(Stage \d+ of|Idea$|Task$|Cases)/.test(line);
    console.log(isHeading ? paint.bold(line) : line.replaceAll(/`[^`]+`/g, (code) => paint.cyan(code)));
  }
}
