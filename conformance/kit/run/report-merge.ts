// Makes one report of the shards of a run, and refuses what are not all the shards of one run.

import { isDeepStrictEqual } from "node:util";
import type { ReportHeader, ReportProblem, Shard } from "../../../schemas/types.ts";
import type { Suite } from "../suite/types.ts";
import type { Report } from "./make-report.ts";
import { observedPolicies } from "./observed-policies.ts";
import { countRequirements } from "./requirement-verdicts.ts";
import { countVerdicts } from "./verdicts.ts";
import { falseClaims } from "./manifest-claims.ts";
import { keyOf, partsOf } from "./report-file.ts";
import { isComplete } from "./run-problems.ts";
import { pinSuite } from "../suite/suite-version.ts";
import { UsageError } from "../base/usage-error.ts";

/** A report and the file that it is in. */
export interface NamedReport {
  file: string;
  report: Report;
}

/** What all shards of a run have in common, and how a person calls it. */
const common: readonly [key: keyof ReportHeader, name: string][] = [
  ["spec", "the spec"],
  ["kit", "the kit"],
  ["suite_version", "the suite"],
  ["driver", "the driver"],
  ["implementation", "the handshake of the driver"],
  ["profiles", "what its agent-loop.json declares"],
  ["suite", "what was selected"],
  ["level", "the level"],
];

/**
 * The report of the whole run, with its variants in the order in which one run would have them.
 * @throws UsageError if one is no shard, they are of different runs, one is missing, or one is there twice
 * @see REPORT-9
 */
export function mergeShards(shards: readonly NamedReport[]): Report {
  const ordered = inOrder(shards);
  const reports = ordered.map(({ report }) => report);
  const { shard: _, seed, splits, ...first } = partsOf(reports[0]!).header;
  const variants = interleaved(reports);
  const start = Math.min(...reports.map(({ started_at }) => Date.parse(started_at)));
  const end = Math.max(...reports.map((report) => Date.parse(report.started_at) + report.duration_ms));
  const startError = reports.find(({ start_error }) => start_error !== undefined)?.start_error;
  const allProblems = reports.flatMap(({ problems = [] }) => problems);
  const observed = observedPolicies(variants);
  const problems = [...new Map(allProblems.map((problem) => [JSON.stringify(problem), problem])).values()];
  return {
    ...first,
    ...(seed !== undefined && reports.every((report) => report.seed === seed) && { seed }),
    ...(splits && reports.every((report) => isDeepStrictEqual(report.splits, splits)) && { splits }),
    selected: variants.length,
    started_at: new Date(start).toISOString(),
    variants,
    totals: countVerdicts(variants),
    requirements: countRequirements(variants),
    ...(observed.length > 0 && { observed }),
    duration_ms: end - start,
    ...(startError !== undefined && { start_error: startError }),
    ...(problems.length > 0 && { problems }),
    ...(reports.some(({ undeclared }) => undeclared) && {
      undeclared: [...new Set(reports.flatMap(({ undeclared = [] }) => undeclared))],
    }),
  };
}

/**
 * What a whole run has not kept of what the driver's agent-loop.json declares: no shard of it could know.
 * @throws UnknownVersionError if the suite never had the version that was run
 * @see KIT-13
 */
export async function unkeptProfiles(report: Report, suite: Suite): Promise<ReportProblem[]> {
  const { implementation: handshake, profiles = [], problems = [], suite_version, variants } = report;
  if (!handshake || !isComplete(variants)) return [];
  const run = { handshake, variants, suite: pinSuite(suite, suite_version), isWhole: true };
  const known = new Set(problems.map(({ message }) => message));
  return (await falseClaims("agent-loop.json", profiles, run)).filter(({ message }) => !known.has(message));
}

/** The shards from the first to the last. */
function inOrder(shards: readonly NamedReport[]): NamedReport[] {
  const [first] = shards as [NamedReport];
  for (const one of shards) checkSameRun(first, one);
  const { count } = shardOf(first);
  return Array.from({ length: count }, (_, position) => {
    const index = position + 1;
    const [found, other] = shards.filter((one) => shardOf(one).index === index);
    if (other)
      throw new UsageError(`${found!.file} and ${other.file} are both shard ${index} of ${count}; give each once`);
    if (!found) throw new UsageError(`shard ${index} of ${count} is missing; give the reports of all ${count} shards`);
    return found;
  });
}

function shardOf({ file, report }: NamedReport): Shard {
  if (report.shard) return report.shard;
  throw new UsageError(`${file} is no shard: it was made without --shard, and is whole as it is`);
}

function checkSameRun(first: NamedReport, other: NamedReport): void {
  const files = `${first.file} and ${other.file} are not shards of one run`;
  const [ours, theirs] = [shardOf(first), shardOf(other)];
  if (ours.count !== theirs.count)
    throw new UsageError(`${files}: the first is one of ${ours.count}, the second one of ${theirs.count}`);
  for (const [key, name] of common) {
    const [left, right] = [first.report[key], other.report[key]];
    if (!isDeepStrictEqual(left, right))
      throw new UsageError(
        `${files}: ${name} is ${JSON.stringify(left)} in the first and ${JSON.stringify(right)} in the second`,
      );
  }
}

/** Shards are dealt like cards, so they are laid together the same way. */
function interleaved(reports: readonly Report[]): Report["variants"] {
  const longest = Math.max(...reports.map(({ variants }) => variants.length));
  const rounds = Array.from({ length: longest }, (_, round) =>
    reports.flatMap(({ variants }) => variants[round] ?? []),
  );
  const variants = rounds.flat();
  const seen = new Set<string>();
  for (const key of variants.map(keyOf)) {
    if (seen.has(key)) throw new UsageError(`two of the shards have ${key}; they overlap, so they are not of one run`);
    seen.add(key);
  }
  return variants;
}
