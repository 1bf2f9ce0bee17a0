// The result of a search: its score, and each change of the code that no test saw, or that could not be tried.

import type { MutantResult } from "@stryker-mutator/api/core";

/** How much of a change is shown. */
const longest = 60;

/** How many of the mutants that could be tried were seen, of a hundred. One that hangs is seen, too. */
export function scoreOf(results: readonly MutantResult[]): number {
  const seen = results.filter(({ status }) => status === "Killed" || status === "Timeout").length;
  return (100 * seen) / results.filter(isTried).length;
}

/**
 * What a person reads of a search, one line for each mutant that was not seen, in the order of the code.
 * @param read returns the text of a file, as it is without any mutant
 * @param nameOf returns what a file is called
 */
export function scoreText(
  results: readonly MutantResult[],
  read: (file: string) => string,
  nameOf: (file: string) => string,
): string {
  const unseen = results.filter((one) => one.status !== "Killed" && one.status !== "Timeout");
  const lines = unseen.map((one) => {
    const { start } = one.location;
    const place = `${nameOf(one.fileName)}:${start.line}:${start.column}`;
    const before = shown(textAt(read(one.fileName), one.location));
    return `${place} ${before} → ${shown(one.replacement)}${remark(one)}`;
  });
  const count = (status: MutantResult["status"]) => results.filter((one) => one.status === status).length;
  const tried = results.filter(isTried).length;
  const untried = results.length - tried;
  const survived = unseen.length - untried;
  const parts = [`${count("Killed")} killed`, `${count("Timeout")} timed out`, `${survived} survived`];
  if (untried > 0) parts.push(`${untried} could not be tried`);
  return [...lines, `${scoreOf(results).toFixed(1)} % of ${tried} mutants: ${parts.join(", ")}`].join("\n");
}

/** Why nothing saw a mutant, where its text does not say it. */
function remark(one: MutantResult): string {
  if (!isTried(one)) return ` (could not be tried: ${(one.statusReason ?? one.status).split("\n", 1)[0]})`;
  return one.status === "NoCoverage" ? " (no test runs it)" : "";
}

/** Whether a mutant says anything of the tests: one that does not even run does not. */
function isTried({ status }: MutantResult): boolean {
  return ["Killed", "Timeout", "Survived", "NoCoverage"].includes(status);
}

/** The text between two places. Both count from 1 in lines, and from 1 in columns. */
function textAt(text: string, { start, end }: MutantResult["location"]): string {
  const lines = text.split("\n").slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1)!.slice(0, end.column - 1);
  lines[0] = lines[0]!.slice(start.column - 1);
  return lines.join("\n");
}

function shown(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
