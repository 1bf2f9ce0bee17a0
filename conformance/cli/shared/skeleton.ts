// Writes the skeleton of a driver, as `init` and `learn start` do.

import { cpSync, existsSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { commandLine } from "../../kit/base/cli-name.ts";
import { makeFolder } from "../../kit/base/make-folder.ts";
import { packagePath } from "../../kit/base/package-root.ts";
import { whichName } from "../../kit/base/suggest-name.ts";
import { UsageError } from "../../kit/base/usage-error.ts";

/** The skeleton for all other languages: a driver in words. */
export const inWords = "other";

/** The folder of the drivers for frameworks. */
const forFrameworks = "framework";

/** The languages that there is a skeleton for. */
export function languages(): string[] {
  return readdirSync(packagePath("conformance/templates"))
    .filter((lang) => lang !== inWords && lang !== forFrameworks)
    .sort();
}

/** The languages in which there is a driver for a framework: of level wire, around an official SDK. */
export function frameworkLanguages(): string[] {
  return readdirSync(packagePath("conformance/templates", forFrameworks)).sort();
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
  return copyTemplate(packagePath("conformance/templates", lang), dir);
}

/**
 * Writes a driver of level wire that works as it stands, and nothing where a file of it is there already. Returns the files.
 * @throws UsageError
 */
export function writeFrameworkDriver(lang: string, dir: string): string[] {
  if (!frameworkLanguages().includes(lang))
    throw new UsageError(
      `--for framework has no driver in ${lang}; ${whichName(lang, frameworkLanguages())}\nWhat it has to do is in spec/kit/driver-protocol.md, "Drivers of level wire".`,
    );
  return copyTemplate(packagePath("conformance/templates", forFrameworks, lang), dir);
}

/** @throws UsageError where a file is there already, or none can be written */
function copyTemplate(template: string, dir: string): string[] {
  const files = readdirSync(template, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(template, join(entry.parentPath, entry.name)))
    .sort();
  const present = files.find((file) => existsSync(join(dir, file)));
  if (present !== undefined)
    throw new UsageError(`${join(dir, present)} exists, and is not overwritten; choose another folder`);
  try {
    for (const file of files) {
      makeFolder(dirname(join(dir, file)));
      cpSync(join(template, file), join(dir, file));
    }
  } catch (thrown) {
    throw new UsageError(`nothing can be written into ${dir}; choose another folder (${(thrown as Error).message})`);
  }
  return files.map((file) => join(dir, file));
}
