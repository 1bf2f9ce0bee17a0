// The command `quiz`: shows the kit's report of a planted fault, asks which requirement is broken and where, and explains it.

import { NoAnswer, answerLines, isRight, readAnswer, verdictLines } from "../teaching/quiz/answer.ts";
import type { Answer } from "../teaching/quiz/answer.ts";
import { ask } from "../teaching/quiz/ask.ts";
import { codeOf } from "../teaching/faults/faults.ts";
import { openPuzzle } from "../teaching/quiz/open-puzzle.ts";
import type { Puzzle } from "../teaching/quiz/open-puzzle.ts";
import { puzzleLines } from "../teaching/quiz/puzzle.ts";
import { commandLine } from "../kit/base/cli-name.ts";
import { fitted } from "./shared/fitted.ts";
import { wantsColor } from "./shared/terminal.ts";
import { wrapped } from "../traffic/read/entry-lines.ts";
import { UsageError } from "../kit/base/usage-error.ts";

/** The options of the command line. */
export interface QuizOptions {
  seed?: number;
  answer?: string;
  reveal?: boolean;
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
  for (const line of fitted(lines, process.stdout.columns)) console.log(line);
}
