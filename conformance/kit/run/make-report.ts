// Makes the report of a run of the kit: its header when the run begins, the rest when it has ended.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type {
  InitializeResult,
  ReportFooter,
  ReportHeader,
  ReportProblem,
  RequirementLevel,
  Shard,
  VariantResult,
} from "../../../schemas/types.ts";
import { specVersion } from "../base/protocol.ts";
import { packagePath } from "../base/package-root.ts";
import type { Selected } from "../suite/selection.ts";
import { countRequirements } from "./requirement-verdicts.ts";
import { observedPolicies } from "./observed-policies.ts";
import { countVerdicts } from "./verdicts.ts";

/** A whole report: what its lines say together. */
export interface Report extends ReportHeader, ReportFooter {
  /** One for each selected variant, in the order of the cases. */
  variants: VariantResult[];
}

/** What is known of a run before its first variant. */
export interface RunBegin {
  driver: string;
  /** Absent if the driver never initialised. */
  handshake?: InitializeResult | undefined;
  seed: number;
  /** How streams were cut beside being sent as they are. */
  splits?: readonly number[] | undefined;
  suiteVersion: string;
  /** What the whole run has to keep. */
  profiles?: readonly string[];
  /** Everything that was selected, before it was divided into shards. */
  selection: readonly Selected[];
  /** How many of it are run. */
  selected: number;
  level?: RequirementLevel | undefined;
  shard?: Shard | undefined;
  /** How many runs may be in flight. Absent: as many as the driver takes. */
  jobs?: number | undefined;
}

/** What is known when a run has ended, beside its variants. */
export interface RunEnd {
  duration_ms: number;
  startError: string | undefined;
  problems: ReportProblem[];
}

/** The header of the report of a run that begins now. */
export function makeHeader(begin: RunBegin): ReportHeader {
  const {
    driver,
    handshake,
    seed,
    splits = [],
    profiles = [],
    suiteVersion,
    selection,
    selected,
    level,
    shard,
    jobs,
  } = begin;
  const isHeldBack = jobs === 1 && (handshake?.concurrency ?? 1) > 1;
  return {
    report: 1,
    kit: (JSON.parse(readFileSync(packagePath("package.json"), "utf8")) as { version: string }).version,
    spec: specVersion,
    driver,
    ...(handshake && { implementation: handshake }),
    ...(profiles.length > 0 && { profiles: [...profiles] }),
    suite_version: suiteVersion,
    suite: digestOf(selection),
    selected,
    ...(level && { level }),
    ...(shard && { shard }),
    seed,
    ...(splits.length > 0 && { splits: [...splits] }),
    ...(isHeldBack && { one_at_a_time: true as const }),
    started_at: new Date().toISOString(),
  };
}

/** The footer of the report of a run that has ended. */
export function makeFooter(
  variants: readonly VariantResult[],
  { duration_ms, startError, problems }: RunEnd,
): ReportFooter {
  const observed = observedPolicies(variants);
  return {
    totals: countVerdicts(variants),
    requirements: countRequirements(variants),
    ...(observed.length > 0 && { observed }),
    duration_ms,
    ...(startError !== undefined && { start_error: startError }),
    ...(problems.length > 0 && { problems }),
  };
}

/** Gives failures the line of their case to look at. Only failures, because finding it means parsing the file again. */
export async function locate(variants: readonly VariantResult[], selected: readonly Selected[]): Promise<void> {
  for (const [index, result] of variants.entries()) {
    if (result.failures === undefined) continue;
    const { lineOf } = await import("../suite/case-file.ts");
    const path = result.failures.find((failure) => failure.path?.startsWith("/expect/"))?.path ?? "/requires/0";
    result.line = lineOf(readFileSync(selected[index]!.entry.file, "utf8"), path);
  }
}

/** The same for the same cases on the same variants, whatever machine they are run on. */
function digestOf(selection: readonly Selected[]): string {
  const hash = createHash("sha256");
  let last: Selected["entry"] | undefined;
  for (const { entry, variant } of selection) {
    if (entry !== last) hash.update(`\n${entry.id} ${JSON.stringify(entry.case)}`);
    hash.update(` ${variant.name}`);
    last = entry;
  }
  return hash.digest("hex").slice(0, 16);
}
