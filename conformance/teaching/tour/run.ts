// Takes somebody on the tour: lists its programs, runs one, or shows what it changes in the one before.

import { readdirSync, readFileSync } from "node:fs";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import pc from "picocolors";

const isBuilt = import.meta.url.endsWith(".js");
/** The pages and the sources; what is run lies beside this file, and in the built package that is another place. */
const folder = new URL(isBuilt ? "../../../../conformance/teaching/tour/" : "./", import.meta.url);
const steps = readdirSync(folder)
  .filter((name) => /^\d\d-/.test(name))
  .sort();

/**
 * Runs the step of a number, or with `diff` shows what it changes; without a number, lists the steps.
 * @param again what stands before the number on a command line
 * @throws RangeError for anything else, and says what was expected
 */
export async function tour(again: string, number?: string, word?: string): Promise<void> {
  if (number === undefined) return list();
  const step = steps[Number(number) - 1];
  if (step === undefined || (word !== undefined && word !== "diff")) throw new RangeError(refusal(again, number, word));
  if (word === "diff") showDifference(Number(number));
  else await import(new URL(`${step}/main${isBuilt ? ".js" : ".ts"}`, import.meta.url).href);
}

function list(): void {
  for (const name of steps) {
    const [title = ""] = readFileSync(new URL(`${name}/README.md`, folder), "utf8").split("\n");
    console.log(`${title.replace("# ", "").padEnd(38)} conformance/teaching/tour/${name}/README.md`);
  }
}

function refusal(again: string, ...given: (string | undefined)[]): string {
  const got = given.filter((argument) => argument !== undefined).join(" ");
  return `Expected a step from 1 to ${steps.length}, and perhaps the word diff after it; got: ${got}\nRun one with: ${again} 3`;
}

/** What the program of a step changes in the one before it; of the first, all. */
function showDifference(number: number): void {
  const [before, after] = [steps[number - 2], steps[number - 1]!];
  const old = before === undefined ? "" : readFileSync(sourceOf(before), "utf8");
  const now = readFileSync(sourceOf(after), "utf8");
  const options = { context: 2, headerOptions: FILE_HEADERS_ONLY };
  const patch = createTwoFilesPatch(before ?? "nothing", after, old, now, undefined, undefined, options);
  for (const line of patch.trimEnd().split("\n")) console.log(colored(line));
}

function colored(line: string): string {
  if (line.startsWith("+")) return pc.green(line);
  return line.startsWith("-") ? pc.red(line) : line;
}

function sourceOf(name: string): URL {
  return new URL(`${name}/main.ts`, folder);
}

if (import.meta.main) {
  const [number, word, ...rest] = process.argv.slice(2);
  try {
    await tour("npm run tour", number, rest.length > 0 ? [word, ...rest].join(" ") : word);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}
