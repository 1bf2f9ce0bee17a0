// The command `init`: writes the skeleton of a driver, and says what to do with it.

import { commandLine } from "../kit/base/cli-name.ts";
import { packagePath } from "../kit/base/package-root.ts";
import { quoteWord } from "../kit/driver/quote-word.ts";
import { shownPath } from "../kit/base/display-path.ts";
import { inWords, languages, writeFrameworkDriver, writeSkeleton } from "./shared/skeleton.ts";
import { UsageError } from "../kit/base/usage-error.ts";

/** The smallest case: a text ends the run. */
const firstCase = "stop/end-turn-text";

/**
 * Writes the skeleton.
 * @throws UsageError if no language is given, there is no skeleton for it, or a file of it is there already
 */
export function init({ lang, dir, for: whom }: { lang?: string; dir: string; for?: string }): void {
  if (whom !== undefined && whom !== "framework")
    throw new UsageError(`--for ${whom} is nothing that there is a driver for; expected framework, or leave it out`);
  if (lang === undefined)
    throw new UsageError(
      `--lang is missing: the language of your loop, one of ${languages().join(", ")}, or ${inWords}: a driver in words`,
    );
  const isFramework = whom === "framework";
  const written = isFramework ? writeFrameworkDriver(lang, dir) : writeSkeleton(lang, dir);
  for (const line of isFramework ? frameworkAdvice(lang, dir, written) : advice(dir, written)) console.log(line);
}

/** What the packages of the driver are installed with. */
const installing: Record<string, string> = {
  typescript: "npm install",
  python: "python3 -m pip install -r requirements.txt",
};

function* frameworkAdvice(lang: string, dir: string, files: string[]): Generator<string> {
  const driver = `--driver ${quoteWord(dir)}`;
  for (const file of files) yield `wrote ${file}`;
  yield "";
  yield `its packages:          cd ${quoteWord(dir)} && ${installing[lang]}`;
  yield `what works, what not:  ${commandLine} driver check ${driver}`;
  yield `the first cases:       ${commandLine} test ${driver} --case next-message/`;
  yield "";
  yield `It works as it stands; put your framework in the place of its loop. What is asked of it is in ${shown("spec/kit/driver-protocol.md")}.`;
}

function* advice(dir: string, files: string[]): Generator<string> {
  const driver = `--driver ${quoteWord(dir)}`;
  for (const file of files) yield `wrote ${file}`;
  yield "";
  yield `what works, what not:  ${commandLine} driver check ${driver}`;
  yield `the first case:        ${commandLine} test ${driver} --case ${firstCase}`;
  yield `all that it says:      ${commandLine} explain ${firstCase}`;
  yield "";
  yield `Both fail until the loop is written; the failure says where. What a loop does is in ${shown("spec/loop/loop.md")},`;
  yield `what a run returns in ${shown("spec/loop/results.md")}, every message in ${shown("spec/kit/driver-protocol.md")}.`;
}

function shown(file: string): string {
  return shownPath(packagePath(file));
}
