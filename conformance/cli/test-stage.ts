// What `test --stage n` does: runs the cases of a stage and of all before it, says which stages passed, and keeps it.

import { relative, resolve } from "node:path";
import type { TrackScore } from "../../schemas/types.ts";
import { commandLine } from "../kit/base/cli-name.ts";
import { coverageOf, exitCodeOf, runSuite } from "../kit/index.ts";
import type { NamedDriver, Report, Suite } from "../kit/index.ts";
import { quoteWord } from "../kit/driver/quote-word.ts";
import { folderOf, progressAfter, progressFile, progressText, readProgress } from "../teaching/stages/progress.ts";
import { missingOf, scoreOf, undeclaredStages } from "../teaching/stages/score.ts";
import { divide, findStage, readStages } from "../teaching/stages/stages.ts";
import { waitingProfiles } from "../teaching/stages/waiting.ts";
import type { ExaminedStage, Stage } from "../teaching/stages/stages.ts";
import { certifiedLine } from "../kit/run/certified.ts";
import { openReporters } from "./shared/reporting.ts";
import { endReport, isTouched, runOptions, testEach } from "./test-run.ts";
import type { TestRun } from "./test-run.ts";
import { UsageError } from "../kit/base/usage-error.ts";
import { prepareFile, writeWhole } from "./shared/write-file.ts";

/** The options that say what is run, or what may fail: a stage says both. */
const spoken = [
  ...(["case", "cases", "requires", "feature", "provider", "variant", "relay", "shard", "suite", "probe"] as const),
  ...(["knownFailures", "updateKnownFailures"] as const),
];

/** Failures that are shown in full: a loop that is being written has many, and the first is the one to mend. */
const maxDetails = 2;
const maxCharacters = 160;

/**
 * Runs a stage and all before it, and nothing else. The exit code is 0 if all of them passed.
 * @throws UsageError if there is no such stage, or another option says what is run
 * @see KIT-20 KIT-21
 */
export async function testStage(named: string, run: TestRun): Promise<void> {
  const { suite, options } = run;
  const given = spoken.find((name) => options[name] !== undefined);
  if (given !== undefined)
    throw new UsageError(`--stage and --${hyphened(given)} both say what is run, or may fail; give one of them`);
  const stages = readStages();
  const last = findStage(stages, named);
  if (!last) throw new UsageError(unknownStage(named, stages));
  if (options.score !== undefined) prepareFile(options.score);
  const divided = await divide(stages, suite);
  const examined = divided.slice(0, last.number);
  await testEach(run, idsOf(examined), (driver, ended) => testDriver(driver, examined, divided, run, ended));
}

/** What is wrong with the name of a stage that there is not. */
export function unknownStage(named: string, stages: readonly Stage[]): string {
  return `there is no stage ${named}; there are 1 to ${stages.length}, see them with: ${commandLine} learn`;
}

async function testDriver(
  driver: NamedDriver,
  examined: readonly ExaminedStage[],
  divided: readonly ExaminedStage[],
  { suite, options, targets, touched }: TestRun,
  ended: AbortSignal,
): Promise<number> {
  const stageOf = new Map(examined.flatMap(({ stage, selected }) => selected.map((one) => [keyOf(one), stage])));
  const ids = new Set(idsOf(examined));
  const groupOf = (result: { case: string; variant: string }) =>
    label(stageOf.get(`${result.case} ${result.variant}`)!);
  const reporter = await openReporters(targets, suite, { groupOf, maxDetails });
  const { report } = await runSuite({
    ...runOptions(options, reporter, ended),
    driver,
    // In the order of the stages, so that the first failure is reported first.
    suite: { ...suite, cases: [...ids].map((id) => suite.cases.find((entry) => entry.id === id)!) },
    only: (one) => stageOf.has(keyOf(one)) && isTouched(touched, one.entry.id),
    knownFailures: null,
  });
  const undeclared = undeclaredStages(report, examined);
  if (touched === "everything" && undeclared.length > 0) report.problems = [...(report.problems ?? []), ...undeclared];
  const isPrinted = endReport(reporter, report, driver, targets);
  if (touched !== "everything") return exitCodeOf({ report });
  const score = scoreOf(report, examined);
  if (options.score !== undefined) writeWhole(options.score, `${JSON.stringify(score, null, 2)}\n`);
  const problem = keep(score, driver);
  if (problem !== undefined) console.error(problem);
  if (isPrinted)
    for (const line of await summary(score, { report, driver, examined, divided, suite })) console.log(line);
  return exitCodeOf({ report });
}

/** Writes the progress of a driver that has a folder of its own. Returns why it could not. */
function keep({ stages }: TrackScore, driver: NamedDriver): string | undefined {
  const folder = folderOf(driver);
  if (folder === undefined) return undefined;
  try {
    const progress = progressAfter(readProgress(folder), stages, new Date().toISOString());
    writeWhole(resolve(folder, progressFile), progressText(progress));
    return undefined;
  } catch (error) {
    return `The progress is not kept: ${(error as Error).message}`;
  }
}

interface Ended {
  report: Report;
  driver: NamedDriver;
  examined: readonly ExaminedStage[];
  /** All stages. */
  divided: readonly ExaminedStage[];
  suite: Suite;
}

/** The result of each stage, and the next one. */
async function summary({ stages: scores }: TrackScore, ended: Ended): Promise<string[]> {
  const { report, driver, examined, divided, suite } = ended;
  const lines = scores.map(({ stage, title, passed, of, is_passed }) => {
    const count = `${String(passed).padStart(4)} of ${String(of).padEnd(4)}`;
    return `stage ${String(stage).padStart(2)}  ${title.padEnd(44)}${count} ${is_passed ? "passed" : ""}`.trimEnd();
  });
  const here = scores.findIndex(({ is_passed }) => !is_passed);
  if (here >= 0) return ["", ...lines, "", ...toDo(examined[here]!, scores[here]!.missing!, report, driver)];
  const next = divided[examined.length]?.stage;
  const goOn = next
    ? [`Next is ${label(next)}:  ${commandLine} learn ${next.number}${folderArgument(driver)}`]
    : ["There is no further stage."];
  return ["", ...lines, "", ...(await certified(report, suite, divided)), ...goOn];
}

/** For what the loop is certified, if it is for anything, and which of the rest later stages examine to the end. */
async function certified(report: Report, suite: Suite, divided: readonly ExaminedStage[]): Promise<string[]> {
  const { profiles } = await coverageOf(report, suite);
  if (!profiles.some((profile) => profile.certified)) return [];
  const waiting = waitingProfiles(profiles, divided).map(({ profile, stage }) => `${profile} waits for stage ${stage}`);
  return [[await certifiedLine(report, suite), ...waiting].join("; ")];
}

function toDo(one: ExaminedStage, missing: string, report: Report, driver: NamedDriver): string[] {
  const [first] = missingOf(one, report);
  const at = `${commandLine} learn ${one.stage.number}${folderArgument(driver)}`;
  const lines = [
    `You are at ${label(one.stage)}. What is missing first:`,
    ...missing.split("\n").map((line) => `  ${cut(line)}`),
    `what the stage is about:  ${at}`,
  ];
  if (!first || report.start_error !== undefined) return lines;
  const alone = `--case ${first.case} --variant ${first.variant}`;
  return [
    ...lines,
    `this case alone:          ${commandLine} test --driver ${quoteWord(driver.argument)} ${alone}`,
    `what is said in it:       ${commandLine} repro ${first.case} ${first.variant}`,
  ];
}

/** As much of a line as is not too long; the failure itself has been shown whole. */
function cut(line: string): string {
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters - 1)}…` : line;
}

/** The folder of the loop, where `learn` does not find it by itself. */
function folderArgument(driver: NamedDriver): string {
  const folder = relative(process.cwd(), folderOf(driver) ?? "");
  return folder === "" ? "" : ` ${quoteWord(folder)}`;
}

function label({ number, title }: Pick<Stage, "number" | "title">): string {
  return `stage ${number}, ${title}`;
}

function idsOf(examined: readonly ExaminedStage[]): string[] {
  return examined.flatMap(({ selected }) => selected.map(({ entry }) => entry.id));
}

function keyOf({ entry, variant }: ExaminedStage["selected"][number]): string {
  return `${entry.id} ${variant.name}`;
}

function hyphened(option: string): string {
  return option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
