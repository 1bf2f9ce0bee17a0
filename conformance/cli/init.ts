// The command `init`: writes the skeleton of a driver, and says what to do with it.

import { cpSync, existsSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { commandLine } from "../kit/base/cli-name.ts";
import { whichName } from "../kit/base/suggest-name.ts";
import { packagePath } from "../kit/base/package-root.ts";
import { quoteWord } from "../kit/driver/quote-word.ts";
import { shownPath } from "../kit/base/display-path.ts";
import { UsageError } from "../kit/base/usage-error.ts";

/** The smallest case: a text ends the run. */
const firstCase = "stop/end-turn-text";

/** The skeleton for all other languages: a driver in words. */
const inWords = "other";

/** The languages that there is a skeleton for. */
export function languages(): string[] {
  return readdirSync(packagePath("conformance/templates"))
    .filter((lang) => lang !== inWords)
    .sort();
}

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

/**
 * Writes the skeleton, and nothing where a file of it is there already. Returns the files.
 * @throws UsageError
 */
export function writeSkeleton(lang: string, dir: string): string[] {
  if (lang !== inWords && !languages().includes(lang))
    throw new UsageError(
      `--lang ${lang} has no skeleton; ${whichName(lang, languages())}\nFor any other language the driver is written down in words, some 60 lines: ${commandLine} init --lang ${inWords}`,
    );
  const template = packagePath("conformance/templates", lang);
  const files = readdirSync(template, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(template, join(entry.parentPath, entry.name)))
    .sort();
  const present = files.find((file) => existsSync(join(dir, file)));
  if (present !== undefined)
    throw new UsageError(`${join(dir, present)} exists, and is not overwritten; choose another --dir`);
  for (const file of files) cpSync(join(template, file), join(dir, file));
  return files.map((file) => join(dir, file));
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
