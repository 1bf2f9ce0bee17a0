// Asks a person at a terminal which requirement is broken, and where.

import { createInterface } from "node:readline/promises";
import type { Suite } from "../../kit/index.ts";
import { NoAnswer, readAnswer } from "./answer.ts";
import type { Answer } from "./answer.ts";

/** What there is to choose from. */
export interface Choices {
  requirements: readonly string[];
  /** As `file#declaration`. */
  places: readonly string[];
  suite: Suite;
}

/** Where a person reads and writes. */
export interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

type AskLine = (question: string) => Promise<string>;

/** Asks until there is an answer; undefined if none is given, or the input ends. Ctrl-C ends the process. */
export async function ask(choices: Choices, terminal: Terminal): Promise<Answer | undefined> {
  const lines = createInterface(terminal);
  lines.once("SIGINT", () => process.exit(130));
  const ended = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
  const line: AskLine = async (question) => (await Promise.race([lines.question(question), ended])).trim();
  const print = (text: string) => terminal.output.write(`${text}\n`);
  try {
    const answer = await askRequirement(choices, line, print);
    if (answer === undefined || answer.place !== undefined) return answer;
    print("\nAnd where?");
    for (const [index, place] of choices.places.entries()) print(`  ${index + 1}  ${place.replace("#", "  ")}`);
    const reply = await line(`1 to ${choices.places.length}, or a file; Enter leaves it out: `);
    const place = choices.places[Number(reply) - 1] ?? reply;
    return place === "" ? answer : { ...answer, place };
  } finally {
    lines.close();
  }
}

async function askRequirement(
  { requirements, suite }: Choices,
  line: AskLine,
  print: (text: string) => void,
): Promise<Answer | undefined> {
  for (;;) {
    const reply = await line(`1 to ${requirements.length}, or a requirement; Enter shows the answer: `);
    if (reply === "") return undefined;
    try {
      return readAnswer(reply, requirements, suite);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      print(error.message);
    }
  }
}
