// Writes a puzzle: what was given, what happened, and what the kit found wrong, without the names that give the answer away.

import colors from "picocolors";
import { entryOf } from "../../traffic/read/entries.ts";
import { entryLines, wrapped } from "../../traffic/read/entry-lines.ts";
import type { LineStyle } from "../../traffic/read/entry-lines.ts";
import { fillCase } from "../../kit/suite/fill-case.ts";
import type { Suite } from "../../kit/index.ts";
import { visible } from "../../reporters/visible.ts";
import { codeOf } from "../faults/faults.ts";
import type { Fault } from "../faults/faults.ts";
import { redCaseSeed } from "./red-cases.ts";
import type { RedCase, RedFailure } from "./red-cases.ts";

/** What is given besides the messages and is no answer of a tool. */
const hidden = ["messages", "handlers"];
const maxMessages = 4;
/** Lines of the story that are shown: its beginning and its end. */
const maxStory = { first: 13, last: 9 };

/** The lines of a puzzle, up to the question. */
export function* puzzleLines(fault: Fault, red: RedCase, suite: Suite, style: LineStyle): Generator<string> {
  const { bold } = colors.createColors(style.color);
  yield bold(
    `Fault ${codeOf(fault)}: something small was changed in the reference, and this run is not as it must be.`,
  );
  yield "";
  yield* givenLines(red, suite, style);
  yield* shortened(entryLines(red.story, style));
  yield "";
  yield bold(`What the kit says (${red.variant})`);
  for (const failure of red.failures) yield* failureLines(failure, suite, style);
}

/** What the run was given, with the words that it had. */
function* givenLines({ case: id }: RedCase, suite: Suite, style: LineStyle): Generator<string> {
  const { given, actions = [] } = fillCase(suite.cases.find((entry) => entry.id === id)!.case, redCaseSeed, id).case;
  const { bold, dim } = colors.createColors(style.color);
  yield bold("What was given");
  for (const [name, value] of Object.entries(given))
    if (!hidden.includes(name)) yield dim(cut(`${name.padEnd(10)} ${inWords(name, value)}`, style.columns));
  const { messages } = given;
  const left = messages.length - maxMessages;
  if (left > 0) yield dim(`${" ".repeat(11)}… and ${left} before these`);
  yield* entryLines(messages.slice(-maxMessages).map(entryOf), style);
  if (actions.length > 0) yield dim("While it runs");
  for (const { when, do: what } of actions)
    yield dim(
      cut(`  when ${JSON.stringify(when)}: ${typeof what === "string" ? what : JSON.stringify(what)}`, style.columns),
    );
}

/** Tools by their names: what they take is rarely the point. */
function inWords(name: string, value: unknown): string {
  if (name === "tools" && Array.isArray(value))
    return (value as { name: string }[]).map((tool) => tool.name).join(", ");
  return JSON.stringify(value);
}

function* failureLines(
  { code, message, difference = [] }: RedFailure,
  suite: Suite,
  { color, columns }: LineStyle,
): Generator<string> {
  const { green, red, yellow } = colors.createColors(color);
  const clean = (text: string) => withoutIds(visible(text), suite);
  for (const line of wrapped(clean(`${code}: ${message}`), columns)) yield line.replace(code, yellow(code));
  if (difference.length > 0) yield `  ${green("- expected")}  ${red("+ received")}`;
  for (const line of difference) {
    const paint = line.startsWith("-") ? green : line.startsWith("+") ? red : String;
    yield `  ${paint(cut(clean(line), columns - 2))}`;
  }
}

/** A text without the names of requirements and cases. */
export function withoutIds(text: string, { catalogue, cases }: Suite): string {
  const isCase = (word: string) => cases.some(({ id }) => id === word);
  return text
    .replaceAll(/\b[A-Z]+-\d+\b/g, (id) => (catalogue.requirements.has(id) ? "(a requirement)" : id))
    .replaceAll(/[a-z-]+\/[a-z0-9-]+/g, (word) => (isCase(word) ? "(the case)" : word));
}

function shortened(lines: string[]): string[] {
  const { first, last } = maxStory;
  return lines.length <= first + last + 1 ? lines : [...lines.slice(0, first), "           …", ...lines.slice(-last)];
}

function cut(text: string, columns: number): string {
  return text.length <= columns ? text : `${text.slice(0, columns - 1)}…`;
}
