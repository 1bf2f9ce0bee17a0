// The command `coverage`: which profiles a run certifies, what is missing for the others, and what became of each requirement.

import { commandLine } from "../kit/base/cli-name.ts";
import { counted } from "../kit/base/plural.ts";
import { readText } from "../kit/base/read-json.ts";
import { coverageOf } from "../kit/run/coverage.ts";
import type { Coverage } from "../kit/run/coverage.ts";
import { findDriver, loadSuite, readReport, runSuite } from "../kit/index.ts";
import type { Report, Suite } from "../kit/index.ts";
import { whichName } from "../kit/base/suggest-name.ts";
import { profileNames } from "../kit/suite/profiles.ts";
import { quoteWord } from "../kit/driver/quote-word.ts";
import { suiteVersion } from "../kit/suite/suite-version.ts";
import { coverageLines } from "../reporters/coverage-lines.ts";
import { UsageError } from "../kit/base/usage-error.ts";
import { sayWhenInterrupted } from "./shared/interrupted.ts";
import { checkWritable, writeWhole } from "./shared/write-file.ts";

interface CoverageOptions {
  /** Whom to test, where no report is given. */
  driver?: string;
  /** Only these, and exit code 1 unless all of them are certified. */
  profile?: string[];
  /** Where to write it all; `-` is stdout, and then nothing else is printed. */
  json?: string;
  /** How many missing variants of a profile are printed. */
  missing: number;
}

/** Prints the coverage of a saved report, or of a run of everything that is made for it. */
export async function coverage(file: string | undefined, options: CoverageOptions): Promise<void> {
  const suite = await loadSuite();
  const { profile: wanted = [] } = options;
  const unknown = wanted.find((name) => !profileNames(suite).includes(name));
  if (unknown !== undefined)
    throw new UsageError(`--profile ${unknown || '""'} is not known; ${whichName(unknown, profileNames(suite))}`);
  if (options.json !== undefined && options.json !== "-") checkWritable(options.json);
  const report = await reportOf(file, options, suite);
  const found = await coverageOf(report, await suiteOf(report, suite));
  const shown = wanted.length === 0 ? found.profiles : found.profiles.filter(({ profile }) => wanted.includes(profile));
  if (wanted.length > 0 && shown.some(({ certified }) => !certified)) process.exitCode ||= 1;
  if (options.json !== undefined) writeJson(options.json, { ...found, profiles: shown });
  if (options.json !== "-") for (const line of coverageLines(found, shown, options.missing)) console.log(line);
}

/** A saved report may be of an older suite, with cases that have ended since. */
async function suiteOf({ suite_version: version }: Report, newest: Suite): Promise<Suite> {
  return version === undefined || version === suiteVersion(newest.cases) ? newest : await loadSuite({ version });
}

async function reportOf(file: string | undefined, { driver }: CoverageOptions, suite: Suite): Promise<Report> {
  if ((file === undefined) === (driver === undefined))
    throw new UsageError("coverage needs one of the two: a report saved with test --reporter json=<file>, or --driver");
  if (file !== undefined) return readReport(readText(file), file);
  const found = findDriver(driver!);
  console.error(
    `runs everything against ${driver}, which takes as long as: ${commandLine} test --driver ${quoteWord(driver!)}`,
  );
  let ended = 0;
  const takeBack = sayWhenInterrupted(
    () => `after ${counted(ended, "variant")}; nothing is certified by a part of a run`,
  );
  const { report } = await runSuite({ driver: found, suite, onResult: () => void (ended += 1) });
  takeBack();
  if (report.start_error !== undefined) {
    console.error(`The driver ${driver} never initialised: ${report.start_error}`);
    process.exitCode = 3;
  }
  return report;
}

function writeJson(file: string, found: Coverage): void {
  const text = `${JSON.stringify(found, null, 2)}\n`;
  if (file === "-") process.stdout.write(text);
  else writeWhole(file, text);
}
