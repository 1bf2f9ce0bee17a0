// The command `coverage`: which profiles a run certifies, what is missing for the others, and what became of each requirement.

import { readFileSync } from "node:fs";
import { commandLine } from "../kit/base/cli-name.ts";
import { counted } from "../kit/base/plural.ts";
import { coverageOf } from "../kit/run/coverage.ts";
import type { Coverage, ProfileCoverage, RequirementCoverage } from "../kit/run/coverage.ts";
import { findDriver, loadSuite, readReport, runSuite } from "../kit/index.ts";
import type { Report, Suite } from "../kit/index.ts";
import { whichName } from "../kit/base/suggest-name.ts";
import { profileNames } from "../kit/suite/profiles.ts";
import { quoteWord } from "../kit/driver/quote-word.ts";
import { suiteVersion } from "../kit/suite/suite-version.ts";
import { UsageError } from "../kit/base/usage-error.ts";
import { writeWhole } from "./shared/write-file.ts";

/** How many rows of requirements are printed. */
const maxRows = 24;

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
  const report = await reportOf(file, options, suite);
  const found = await coverageOf(report, await suiteOf(report, suite));
  const shown = wanted.length === 0 ? found.profiles : found.profiles.filter(({ profile }) => wanted.includes(profile));
  if (wanted.length > 0 && shown.some(({ certified }) => !certified)) process.exitCode ||= 1;
  if (options.json !== undefined) writeJson(options.json, { ...found, profiles: shown });
  if (options.json !== "-") for (const line of lines(found, shown, options.missing)) console.log(line);
}

/** A saved report may be of an older suite, with cases that have ended since. */
async function suiteOf({ suite_version: version }: Report, newest: Suite): Promise<Suite> {
  return version === undefined || version === suiteVersion(newest.cases) ? newest : await loadSuite({ version });
}

async function reportOf(file: string | undefined, { driver }: CoverageOptions, suite: Suite): Promise<Report> {
  if ((file === undefined) === (driver === undefined))
    throw new UsageError("coverage needs one of the two: a report saved with test --reporter json=<file>, or --driver");
  if (file !== undefined) return readReport(read(file), file);
  const found = findDriver(driver!);
  console.error(
    `runs everything against ${driver}, which takes as long as: ${commandLine} test --driver ${quoteWord(driver!)}`,
  );
  const { report } = await runSuite({ driver: found, suite });
  if (report.start_error !== undefined) {
    console.error(`The driver ${driver} never initialised: ${report.start_error}`);
    process.exitCode = 3;
  }
  return report;
}

function* lines(found: Coverage, profiles: readonly ProfileCoverage[], most: number): Generator<string> {
  const { implementation, suite_version, requirements } = found;
  yield `${implementation ? `${implementation.name} ${implementation.version}` : "no implementation"}, suite ${suite_version}`;
  yield "";
  yield* table([
    ["profile", "required", "ran", "passed", ""],
    ...profiles.map((one) => [one.profile, String(one.required), String(one.ran), String(one.passed), verdictOf(one)]),
  ]);
  for (const { profile, missing, ran } of profiles) if (ran > 0) yield* missingLines(profile, missing, most);
  yield "";
  yield* requirementLines(requirements);
}

function verdictOf({ certified, ran, missing, known_failures, why }: ProfileCoverage): string {
  if (certified) return "certified";
  if (ran === 0) return why ?? "not run";
  return known_failures === missing.length ? counted(known_failures, "known failure") : `${missing.length} missing`;
}

function* missingLines(profile: string, missing: ProfileCoverage["missing"], most: number): Generator<string> {
  if (missing.length === 0) return;
  yield `\nmissing in ${profile}:`;
  for (const { check, variant, verdict, reason } of missing.slice(0, most))
    yield `  ${check} ${variant}  ${verdict}${reason === undefined ? "" : `: ${reason.split("\n", 1)[0]}`}`;
  if (missing.length > most) yield `  … and ${missing.length - most} more, see --missing`;
}

function* requirementLines(requirements: readonly RequirementCoverage[]): Generator<string> {
  const testable = requirements.filter(({ untestable }) => untestable === undefined);
  const of = (holds: (one: RequirementCoverage) => boolean) => testable.filter(holds).map(({ id }) => id);
  const passed = of(({ ran, passed }) => ran > 0 && passed === ran);
  const failed = of(({ ran, passed }) => passed < ran);
  const untouched = of(({ ran }) => ran === 0);
  const untestable = requirements.length - testable.length;
  yield `requirements: ${passed.length} of ${testable.length} passed on every variant that ran; ${untestable} more are untestable`;
  if (failed.length > 0) yield `failed: ${someOf(failed)}`;
  if (untouched.length > 0) yield `not run: ${someOf(untouched)}`;
}

/** What fits on a screen; the rest is in the JSON. */
function someOf(ids: readonly string[]): string {
  const rows = inRows(ids);
  const more = rows.slice(maxRows).reduce((sum, row) => sum + row.length, 0);
  const shown = rows
    .slice(0, maxRows)
    .map((row) => (row.length === 1 ? row[0] : `${row[0]} to ${numberOf(row.at(-1)!)}`));
  return `${shown.join(", ")}${more === 0 ? "" : `, … and ${more} more, see --json`}`;
}

/** Ids that follow each other stand in one row: CANCEL-1 to 11. */
function inRows(ids: readonly string[]): string[][] {
  const rows: string[][] = [];
  for (const id of ids) {
    const last = rows.at(-1);
    const next = last && last.at(-1)!.replace(/\d+$/, (number) => String(Number(number) + 1));
    if (last && next === id) last.push(id);
    else rows.push([id]);
  }
  return rows;
}

function numberOf(id: string): string {
  return id.replace(/^.*-/, "");
}

function* table(rows: readonly string[][]): Generator<string> {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)));
  for (const cells of rows)
    yield cells
      .map((cell, column) =>
        column === 0 || column === 4 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
      )
      .join("  ")
      .trimEnd();
}

function writeJson(file: string, found: Coverage): void {
  const text = `${JSON.stringify(found, null, 2)}\n`;
  if (file === "-") process.stdout.write(text);
  else writeWhole(file, text);
}

function read(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
