// Makes the data of the page from a report and what the suite knows of its cases: each text once, details within bounds.

import { relative } from "node:path";
import type { Failure, Report, Suite, VariantResult } from "../../kit/index.ts";
import { packageRoot } from "../../kit/base/package-root.ts";
import { shownPolicies } from "../observed.ts";
import { areaOf, besideRequirements } from "../outcome.ts";
import { brokenRequirements, countsByLevel, extentOf, sentenceOf } from "../requirements.ts";
import type { BrokenRequirement } from "../requirements.ts";
import type { PageBroken, PageCheck, PageData, PageFailure, PageRequirement, PageResult } from "./page-data.ts";
import { sideBySide } from "./side-by-side.ts";

/** How much of exchanges and events a page has, in characters of JSON: browsers open so much without a pause. */
const maxDetails = 12_000_000;

/**
 * The data of the page.
 * @param suite where titles and sentences come from; cases and requirements that it does not have are shown by their ids
 */
export function reportData(report: Report, suite: Suite, most = maxDetails): PageData {
  const detailed = report.variants.filter(({ exchanges, events }) => exchanges ?? events);
  const shown = withDetails(detailed, most);
  const byCheck = Map.groupBy(report.variants, ({ check }) => check);
  const checks = [...byCheck].map(([id, results]) => checkOf(id, results, suite, shown));
  const named = new Set(
    report.variants.flatMap(({ requirement, failures = [] }) => [
      requirement,
      ...failures.map((failure) => failure.requirement ?? requirement),
    ]),
  );
  const features = new Set(checks.flatMap((check) => check.features));
  return {
    title: titleOf(report),
    facts: [...factsOf(report), ...leftOut(detailed.length, shown.size)],
    problems: besideRequirements(report).map(({ name, message, file, line }) => ({
      name: file === undefined ? `not so: ${name}` : `${file}${line === undefined ? "" : `:${line}`}`,
      message,
    })),
    broken: brokenRequirements(report, suite).map((one) => brokenOf(one, suite)),
    levels: countsByLevel(report, suite.catalogue).map(({ level, counts }) => ({ level, counts })),
    observed: shownPolicies(report).map(({ policy, words }) => {
      const { question = "", spec = "" } = suite.catalogue.policies.get(policy) ?? {};
      return { policy, question, words, spec };
    }),
    totals: report.totals,
    requirements: Object.fromEntries([...named].flatMap((id) => requirementOf(id, suite))),
    features: Object.fromEntries([...features].map((name) => [name, suite.catalogue.features.get(name) ?? ""])),
    checks,
  };
}

function brokenOf(broken: BrokenRequirement, { cases }: Suite): PageBroken {
  const { id, requirement, example } = broken;
  const { check, variant, error } = example.result;
  const entry = cases.find((known) => known.id === example.result.case);
  return {
    id,
    ...(requirement?.level !== undefined && { level: requirement.level }),
    ...(requirement?.severity !== undefined && { severity: requirement.severity }),
    sentence: sentenceOf(broken),
    ...(requirement?.level === "essential" && { without: requirement.level_reason }),
    extent: extentOf(broken),
    check,
    variant,
    title: entry?.case.title ?? "",
    ...(error && { error: `${error.kind}: ${error.message}` }),
  };
}

function titleOf({ implementation, driver }: Report): string {
  if (!implementation) return driver;
  const { name, version, language } = implementation.implementation;
  return `${name} ${version} (${language})`;
}

function factsOf({
  kit,
  spec,
  driver,
  implementation,
  seed,
  shard,
  started_at,
  duration_ms,
}: Report): [string, string][] {
  return [
    ["begun", started_at.replace("T", " ").replace(/\.\d+Z$/, " UTC")],
    ["took", `${(duration_ms / 1000).toFixed(1)} s`],
    ["spec", spec],
    ["kit", kit],
    ["driver", driver],
    ["seed", seed === undefined ? "several" : String(seed)],
    ...(shard ? [["shard", `${shard.index} of ${shard.count}`] as [string, string]] : []),
    ["features", `${implementation?.features?.length ?? 0} declared`],
  ];
}

function leftOut(all: number, shown: number): [string, string][] {
  return all === shown
    ? []
    : [["wire and events", `of ${shown} of ${all} variants; more would make the page too large`]];
}

function requirementOf(id: string, { catalogue }: Suite): [string, PageRequirement][] {
  const found = catalogue.requirements.get(id);
  if (!found) return [];
  const { text, why, file, line } = found;
  return [[id, { text, ...(why !== undefined && { why }), at: `${file}:${line}` }]];
}

function checkOf(id: string, results: VariantResult[], suite: Suite, shown: ReadonlySet<VariantResult>): PageCheck {
  const [{ case: name, requirement }] = results as [VariantResult, ...VariantResult[]];
  const entry = suite.cases.find((known) => known.id === name);
  return {
    id,
    case: name,
    area: areaOf(name),
    requirement,
    title: entry?.case.title ?? "",
    file: entry ? relative(packageRoot(), entry.file) : "",
    features: entry?.case.features ?? [],
    results: results.map((result) => resultOf(result, shown.has(result))),
  };
}

function resultOf(result: VariantResult, isShown: boolean): PageResult {
  const { variant, verdict, duration_ms, reason, failures, exchanges, events, line, repro } = result;
  const has = exchanges !== undefined || events !== undefined;
  return {
    variant,
    verdict,
    ms: Math.round(duration_ms),
    ...(reason !== undefined && { reason }),
    ...(failures && { failures: failures.map(failureOf) }),
    ...(isShown && exchanges && { exchanges }),
    ...(isShown && events && { events }),
    ...(has && !isShown && { shortened: true }),
    ...(line !== undefined && { line }),
    ...(repro !== undefined && { repro }),
  };
}

function failureOf({ code, requirement, message, expected, received }: Failure): PageFailure {
  return {
    code,
    ...(requirement !== undefined && { requirement }),
    message,
    ...((expected !== undefined || received !== undefined) && { changes: sideBySide(expected, received) }),
  };
}

/** The results whose exchanges and events are in the page: failures first, and of every check one before any has two. */
function withDetails(variants: readonly VariantResult[], most: number): ReadonlySet<VariantResult> {
  const seen = new Map<string, number>();
  const ranked = variants.map((result) => {
    const rank = seen.get(result.check) ?? 0;
    seen.set(result.check, rank + 1);
    return { result, rank, quiet: result.failures ? 0 : 1 };
  });
  ranked.sort((left, right) => left.quiet - right.quiet || left.rank - right.rank);
  const shown = new Set<VariantResult>();
  let size = 0;
  for (const { result } of ranked) {
    const { exchanges, events } = result;
    size += JSON.stringify({ exchanges, events }).length;
    if (size > most) break;
    shown.add(result);
  }
  return shown;
}
