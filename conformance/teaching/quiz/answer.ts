// Judges an answer, and explains the right one: the requirement, what a user would see, the edit, the real bugs behind it.

import colors from "picocolors";
import { commandLine } from "../../kit/base/cli-name.ts";
import type { Suite } from "../../kit/index.ts";
import { listedBugs } from "../explain/lists.ts";
import { placeOf, rightAnswers } from "./choices.ts";
import { editLines } from "../faults/edit.ts";
import type { Fault } from "../faults/faults.ts";
import type { RedCase } from "./red-cases.ts";

/** What somebody answered. */
export interface Answer {
  /** Of the catalogue. */
  requirement: string;
  /** The words that name the place. Absent: none was named. */
  place?: string;
}

/** What is not an answer; the message says what is. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/**
 * Reads an answer: a requirement or the number of a choice, and perhaps a file or a declaration, as in `LOOP-9 stop-table`.
 * @throws NoAnswer
 */
export function readAnswer(text: string, choices: readonly string[], { catalogue }: Suite): Answer {
  const [first = "", ...place] = text.trim().split(/[\s,]+/);
  const requirement = choices[Number(first) - 1] ?? first.toUpperCase();
  if (!catalogue.requirements.has(requirement))
    throw new NoAnswer(
      `expected a requirement such as ${choices[0]}, or a number from 1 to ${choices.length}, not "${first}"`,
    );
  return { requirement, ...(place.length > 0 && { place: place.join(" ") }) };
}

/** Whether every part of the answer is right. */
export function isRight(answer: Answer, fault: Fault, red: RedCase): boolean {
  return isRequirementRight(answer, fault, red) && isPlaceRight(answer, fault) !== false;
}

function isRequirementRight({ requirement }: Answer, fault: Fault, red: RedCase): boolean {
  return rightAnswers(fault, red).includes(requirement);
}

/** Absent if none was named. Any part of the file's name or the declaration will do. */
function isPlaceRight({ place }: Answer, fault: Fault): boolean | undefined {
  if (place === undefined) return undefined;
  const words = place.replaceAll(/:\d+/g, "").split(/[\s#]+/);
  return words.every((word) => placeOf(fault).toLowerCase().includes(word.toLowerCase()));
}

/** Whether the answer was right, in a line or two. */
export function* verdictLines(answer: Answer, fault: Fault, red: RedCase, suite: Suite): Generator<string> {
  const { requirement } = answer;
  if (requirement === fault.requirement) yield `Right: ${requirement}.`;
  else if (isRequirementRight(answer, fault, red))
    yield `Right: the kit names ${requirement}, too. The fault was planted to break ${fault.requirement}.`;
  else {
    yield `No: it is ${fault.requirement}.`;
    yield `${requirement} says something else: ${suite.catalogue.requirements.get(requirement)!.text}`;
  }
  const isThere = isPlaceRight(answer, fault);
  if (isThere !== undefined) yield isThere ? "The place is right, too." : `It is not in ${answer.place}.`;
}

/** The right answer, explained. */
export function* answerLines(fault: Fault, red: RedCase, suite: Suite, color: boolean): Generator<string> {
  const paint = colors.createColors(color);
  const { text, why } = suite.catalogue.requirements.get(fault.requirement)!;
  const { title } = suite.cases.find(({ id }) => id === red.case)!.case;
  yield `${paint.bold(fault.requirement)}  ${text}`;
  if (why !== undefined) yield `  Why: ${why}`;
  yield `  What a user would see: ${fault.seen}`;
  yield "  The edit:";
  for (const line of editLines(fault, placeOf(fault)))
    yield `    ${line.startsWith("-") ? paint.red(line) : line.startsWith("+") ? paint.green(line) : line}`;
  yield "  Found by:";
  yield `    ${red.case}  ${title}`;
  const tests = suite.cases.filter(({ case: { requires } }) => requires[0] === fault.requirement);
  const own = tests.filter(({ id }) => id === red.case);
  yield* listedBugs(own.some(({ case: { why: reasons = [] } }) => reasons.length > 0) ? own : tests, suite, maxBugs);
  yield `  In the kill matrix: ${fault.id}`;
  yield `  More: ${commandLine} explain ${fault.requirement}`;
}

const maxBugs = 4;
