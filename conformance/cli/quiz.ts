// The command `quiz`: shows the kit's report of a planted fault, asks which requirement is broken and where, and explains it.

import { NoAnswer, answerLines, isRight, readAnswer, verdictLines } from "../teaching/quiz/answer.ts";
import type { Answer } from "../teaching/quiz/answer.ts";
import { ask } from "../teaching/quiz/ask.ts";
import type { Choices } from "../teaching/quiz/ask.ts";
import { chosen, placeChoices, requirementChoices } from "../teaching/quiz/choices.ts";
import { codeOf, readFaults } from "../teaching/faults/faults.ts";
import type { Fault } from "../teaching/faults/faults.ts";
import { puzzleLines } from "../teaching/quiz/puzzle.ts";
import { readRedCases, redCasesFile } from "../teaching/quiz/red-cases.ts";
import type { RedCase } from "../teaching/quiz/red-cases.ts";
import { commandLine } from "../kit/base/cli-name.ts";
import { loadSuite } from "../kit/index.ts";
import { newSeed } from "../kit/base/seeded-random.ts";
import { wantsColor } from "./shared/terminal.ts";
import { wrapped } from "../traffic/read/entry-lines.ts";
import { UsageError } from "../kit/base/usage-error.ts";

/** The options of the command line. */
export interface QuizOptions {
  seed?: number;
  answer?: string;
  reveal?: boolean;
}

/** A puzzle, with the answers to choose from. */
interface Puzzle extends Choices {
  fault: Fault;
  red: RedCase;
}

/** Exit code: 0 for a right answer, 1 for a wrong one. */
export async function quiz(name: string | undefined, { seed, answer, reveal = false }: QuizOptions): Promise<void> {
  const puzzle = await openPuzzle(name, seed);
  if (answer !== undefined) return finish(puzzle, read(answer, puzzle));
  if (reveal) return print(answerOf(puzzle));
  const { stdout, stdin, env } = process;
  const style = { color: wantsColor(stdout, env), columns: Math.min(stdout.columns || 120, 120), most: 2 };
  print(puzzleLines(puzzle.fault, puzzle.red, puzzle.suite, style));
  print(questionLines(puzzle, style.columns));
  if (stdin.isTTY === true && stdout.isTTY === true)
    return finish(puzzle, await ask(puzzle, { input: stdin, output: stdout }));
  print(howToAnswer(puzzle));
}

async function openPuzzle(name: string | undefined, seed = newSeed()): Promise<Puzzle> {
  if (!Number.isInteger(seed)) throw new UsageError("--seed takes a whole number");
  const suite = await loadSuite();
  const faults = readFaults();
  const redCases = readRedCases(faults);
  const playable = faults.filter(({ id }) => suite.cases.some((entry) => entry.id === redCases[id]?.case));
  if (playable.length === 0) throw new UsageError(`${redCasesFile} has no puzzle; write it with: npm run mutants`);
  const fault = name === undefined ? chosen(playable, seed) : find(name, faults);
  const red = redCases[fault.id];
  if (red === undefined || !playable.includes(fault))
    throw new UsageError(
      `no report is stored for ${name}; in a copy of the project: npm run mutants -- --only ${fault.id}`,
    );
  const requirements = requirementChoices(fault, red, faults, suite);
  return { fault, red, suite, requirements, places: placeChoices(fault, requirements, faults) };
}

function find(name: string, faults: readonly Fault[]): Fault {
  const found = faults.find((fault) => fault.id === name || codeOf(fault) === name.toLowerCase());
  if (found) return found;
  throw new UsageError(`no fault is called ${name}; spec/kill-matrix.md lists them, and without a name one is chosen`);
}

function read(text: string, { requirements, suite }: Puzzle): Answer {
  try {
    return readAnswer(text, requirements, suite);
  } catch (error) {
    throw error instanceof NoAnswer ? new UsageError(`--answer: ${error.message}`) : error;
  }
}

function* questionLines({ requirements, suite }: Puzzle, columns: number): Generator<string> {
  yield "";
  yield "Which requirement is broken?";
  for (const [index, id] of requirements.entries()) {
    const [first, ...rest] = wrapped(`${id}  ${suite.catalogue.requirements.get(id)!.text}`, columns - 5);
    yield `  ${index + 1}  ${first}`;
    for (const line of rest) yield `     ${line}`;
  }
}

function* howToAnswer({ fault }: Puzzle): Generator<string> {
  const command = `${commandLine} quiz ${codeOf(fault)}`;
  yield "";
  yield `Answer with:  ${command} --answer <requirement>`;
  yield `With a place: ${command} --answer "<requirement> <file>"`;
  yield `Give up:      ${command} --reveal`;
}

/** Says whether it was right, explains, and sets the exit code. Without an answer it only explains. */
function finish(puzzle: Puzzle, answer: Answer | undefined): void {
  const { fault, red, suite } = puzzle;
  console.log();
  if (answer !== undefined) {
    print(verdictLines(answer, fault, red, suite));
    console.log();
  }
  print(answerOf(puzzle));
  if (answer !== undefined && !isRight(answer, fault, red)) process.exitCode = 1;
}

function answerOf({ fault, red, suite }: Puzzle): Generator<string> {
  return answerLines(fault, red, suite, wantsColor(process.stdout, process.env));
}

function print(lines: Iterable<string>): void {
  for (const line of lines) console.log(line);
}
