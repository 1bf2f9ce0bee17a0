// The tour on the command line: npm run tour [step] [diff]

import { readdirSync, readFileSync } from "node:fs";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import pc from "picocolors";

const folder = new URL("./", import.meta.url);
const steps = readdirSync(folder)
  .filter((name) => /^\d\d-/.test(name))
  .sort();

const [number, word, ...rest] = process.argv.slice(2);
const step = steps[Number(number) - 1];

if (number === undefined) list();
else if (step === undefined || rest.length > 0 || (word !== undefined && word !== "diff")) refuse();
else if (word === "diff") showDifference(Number(number));
else await import(programOf(step).href);

function list(): void {
  for (const name of steps) {
    const [title = ""] = readFileSync(new URL(`${name}/README.md`, folder), "utf8").split("\n");
    console.log(`${title.replace("# ", "").padEnd(38)} conformance/teaching/tour/${name}/README.md`);
  }
}

function refuse(): void {
  const argument = process.argv.slice(2).join(" ");
  console.error(`Expected a step from 1 to ${steps.length}, and perhaps the word diff after it; got: ${argument}`);
  console.error("Run one with: npm run tour 3");
  process.exitCode = 2;
}

/** What the program of a step changes in the one before it; of the first, all. */
function showDifference(number: number): void {
  const [before, after] = [steps[number - 2], steps[number - 1]!];
  const old = before === undefined ? "" : readFileSync(programOf(before), "utf8");
  const now = readFileSync(programOf(after), "utf8");
  const options = { context: 2, headerOptions: FILE_HEADERS_ONLY };
  const patch = createTwoFilesPatch(before ?? "nothing", after, old, now, undefined, undefined, options);
  for (const line of patch.trimEnd().split("\n")) console.log(colored(line));
}

function colored(line: string): string {
  if (line.startsWith("+")) return pc.green(line);
  return line.startsWith("-") ? pc.red(line) : line;
}

function programOf(name: string): URL {
  return new URL(`${name}/main.ts`, folder);
}
