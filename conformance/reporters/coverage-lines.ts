// Writes the coverage of a run for people: its profiles, what is missing for them, and what became of the requirements.

import { policiesLine } from "./observed.ts";
import { visible } from "./visible.ts";
import { counted } from "../kit/base/plural.ts";
import type { Coverage, ProfileCoverage, RequirementCoverage } from "../kit/index.ts";

/** How many rows of requirements are printed. */
const maxRows = 24;

/**
 * The coverage as lines.
 * @param profiles those that are shown
 * @param most how many missing variants of a profile are shown
 */
export function* coverageLines(found: Coverage, profiles: readonly ProfileCoverage[], most: number): Generator<string> {
  const { implementation, suite_version, requirements, observed = [] } = found;
  yield `${implementation ? `${implementation.name} ${implementation.version}` : "no implementation"}, suite ${suite_version}`;
  yield "";
  yield* table([
    ["profile", "required", "ran", "passed", ""],
    ...profiles.map((one) => [one.profile, String(one.required), String(one.ran), String(one.passed), verdictOf(one)]),
  ]);
  for (const { profile, missing, ran } of profiles) if (ran > 0) yield* missingLines(profile, missing, most);
  yield "";
  yield* requirementLines(requirements);
  const behaviours = policiesLine(observed);
  if (behaviours !== undefined) yield visible(behaviours);
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
  const isBroken = ({ ran, passed, outcome }: RequirementCoverage) => passed < ran || outcome === "broken";
  const passed = of((one) => one.ran > 0 && !isBroken(one));
  const failed = of(isBroken);
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
