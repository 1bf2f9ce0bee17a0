// What `test` does with the known failures of an implementation: finds their file, or brings it up to date after a whole run.

import { existsSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { declaredFile } from "../../kit/driver/command.ts";
import type { NamedDriver, Report, Selection, Shard, Suite } from "../../kit/index.ts";
import { readKnownFailures } from "../../kit/run/known-failures-file.ts";
import { besideList, unexplained } from "../../kit/run/known-failures.ts";
import type { KnownFailureList } from "../../kit/run/known-failures.ts";
import { makeFooter } from "../../kit/run/make-report.ts";
import { isComplete, problemsOf } from "../../kit/run/run-problems.ts";
import type { JudgedLevel } from "../../kit/suite/levels.ts";
import { isWhole } from "../../kit/suite/selection.ts";
import { UsageError } from "../../kit/base/usage-error.ts";
import { writeWhole } from "../shared/write-file.ts";

/** The options of `test` that are about known failures, and those that forbid to write them. */
export interface BaselineOptions {
  driver: string[];
  knownFailures?: string;
  updateKnownFailures?: boolean;
  level?: JudgedLevel;
  shard?: Shard;
  cases?: string;
}

/** The list of one driver's known failures. */
export interface Baseline {
  file: string;
  list: KnownFailureList;
}

/**
 * Refuses what would write a wrong list, before anything is run.
 * @throws UsageError
 * @see KIT-11
 */
export function checkBaselineOptions(options: BaselineOptions, selection: Selection): void {
  if (options.driver.length > 1 && (options.knownFailures !== undefined || options.updateKnownFailures))
    throw new UsageError("a list of known failures belongs to one driver, but several are named; test one at a time");
  if (!options.updateKnownFailures) return;
  const never = "--update-known-failures writes only what a whole run has found";
  if (!isWhole(selection) || options.shard || options.level || options.cases !== undefined)
    throw new UsageError(
      `${never}; leave out --case, --requires, --feature, --provider, --variant, --level, --shard and --cases`,
    );
  if (isContinuousIntegration())
    throw new UsageError(
      `${never} interactively, but CI is set: writing it there would only hide what broke; run it locally`,
    );
}

/**
 * The list for a driver; undefined if there is none.
 * @throws UsageError if one is to be written and nothing says where, LoadError if one is not valid
 */
export async function baselineOf(driver: NamedDriver, options: BaselineOptions): Promise<Baseline | undefined> {
  const file = options.knownFailures ?? declaredFile(driver);
  if (file !== undefined && options.updateKnownFailures && !existsSync(file))
    return { file, list: { file, entries: [], today: "" } };
  if (file !== undefined) return { file, list: await readKnownFailures(file) };
  if (!options.updateKnownFailures) return undefined;
  throw new UsageError("--update-known-failures does not know the file; name it with --known-failures <file>");
}

/**
 * Writes the list of what failed, and gives the report as it is beside it.
 * @param report of a run of everything, without a list
 */
export async function updateBaseline(
  { file, list }: Baseline,
  report: Report,
  driver: NamedDriver,
  suite: Suite,
): Promise<Report> {
  if (!isComplete(report.variants) || report.start_error !== undefined) {
    console.error(`${file} was not changed: not everything was run; the report says why`);
    return report;
  }
  const { updatedKnownFailures } = await import("../../kit/run/known-failures-update.ts");
  const before = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  const after = updatedKnownFailures(before, list, report.variants);
  if (after !== before) writeWhole(file, after);
  const known = await readKnownFailures(file);
  for (const line of changeLines(list, known)) console.error(line);
  const variants = report.variants.map((result) => besideList(known, result));
  const handshake = report.implementation;
  const problems = await problemsOf({ driver, handshake, known, suite, variants, isWhole: true });
  const { problems: _, ...rest } = report;
  return {
    ...rest,
    variants,
    ...makeFooter(variants, { duration_ms: report.duration_ms, startError: undefined, problems }),
  };
}

/** What an update did to a list. Nothing that a person wrote goes without a word. */
export function* changeLines(before: KnownFailureList, after: KnownFailureList): Generator<string> {
  const withoutLines = ({ entries, requirements = [] }: KnownFailureList) =>
    [...requirements, ...entries].map(({ line: _, ...entry }) => entry);
  const [old, now] = [withoutLines(before), withoutLines(after)];
  const gone = old.filter((entry) => !now.some((one) => isDeepStrictEqual(one, entry)));
  const added = now.filter((entry) => !old.some((one) => isDeepStrictEqual(one, entry)));
  yield `${after.file}: ${old.length - gone.length} as before, ${gone.length} gone, ${added.length} new`;
  for (const { variants = [], reason, ...entry } of gone) {
    const [what, how] =
      "check" in entry ? [[entry.check], entry.code] : [[entry.requirement, ...(entry.cases ?? [])], "broken"];
    yield `  gone: ${[...what, ...variants].join(" ")} (${how}): ${reason}`;
  }
  const open = now.filter(({ reason }) => reason.startsWith(unexplained)).length;
  if (open > 0) yield `  ${open} without a reason: search for "${unexplained}" and write why it fails`;
}

function isContinuousIntegration(): boolean {
  return !["", "0", "false"].includes(process.env["CI"] ?? "");
}
