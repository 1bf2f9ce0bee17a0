// The command `init`: writes the skeleton of a driver, and says what to do with it.

import { commandLine } from "../kit/base/cli-name.ts";
import { packagePath } from "../kit/base/package-root.ts";
import { quoteWord } from "../kit/driver/quote-word.ts";
import { shownPath } from "../kit/base/display-path.ts";
import { inWords, languages, writeSkeleton } from "./shared/skeleton.ts";
import { UsageError } from "../kit/base/usage-error.ts";

/** The smallest case: a text ends the run. */
const firstCase = "stop/end-turn-text";

/**
 * Writes the skeleton.
 * @throws UsageError if no language is given, there is no skeleton for it, or a file of it is there already
 */
export function init({ lang, dir }: { lang?: string; dir: string }): void {
  if (lang === undefined)
    throw new UsageError(
      `--lang is missing: the language of your loop, one of ${languages().join(", ")}, or ${inWords}: a driver in words`,
    );
  const written = writeSkeleton(lang, dir);
  for (const line of advice(dir, written)) console.log(line);
}

function* advice(dir: string, files: string[]): Generator<string> {
  const driver = `--driver ${quoteWord(dir)}`;
  for (const file of files) yield `wrote ${file}`;
  yield "";
  yield `what works, what not:  ${commandLine} driver check ${driver}`;
  yield `the first case:        ${commandLine} test ${driver} --case ${firstCase}`;
  yield `all that it says:      ${commandLine} explain ${firstCase}`;
  yield "";
  yield `Both fail until the loop is written; the failure says where. What a loop does is in ${shown("spec/loop.md")},`;
  yield `what a run returns in ${shown("spec/results.md")}, every message in ${shown("spec/driver-protocol.md")}.`;
}

function shown(file: string): string {
  return shownPath(packagePath(file));
}
