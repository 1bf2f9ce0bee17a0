// Writes the Common Test Report Format, JSON that tools for many test runners read.

import type { Report, VariantResult } from "../kit/index.ts";
import { plainDetails } from "./failure-details.ts";
import { areaOf, besideVariants, caseOf, outcomes, whyOf } from "./outcome.ts";
import type { Beside, Outcome } from "./outcome.ts";
import { exitCodeOf } from "../kit/index.ts";
import type { Reporter, ReporterContext } from "./reporter.ts";
import { visible } from "./visible.ts";

type Context = Pick<ReporterContext, "write" | "suite">;
type Status = "passed" | "failed" | "skipped" | "pending" | "other";

/** A failure that was expected is neither passed nor failed nor skipped; `rawStatus` says what it is. */
const statuses: Readonly<Record<Outcome, Status>> = {
  passed: "passed",
  failed: "failed",
  error: "failed",
  skipped: "skipped",
  known: "other",
};

/** @see https://github.com/ctrf-io/ctrf/blob/main/schema/ctrf.schema.json */
export function ctrfReporter({ write, suite }: Context): Reporter {
  return { end: (report) => write(`${JSON.stringify(document(report, suite), null, 2)}\n`) };
}

function document(report: Report, suite: Context["suite"]): object {
  const { kit, spec, driver, implementation, seed, shard, start_error } = report;
  const tests = [
    ...besideVariants(report, suite).map(testBeside),
    ...report.variants.map((result) => testOf(result, suite)),
  ];
  const count = (wanted: Status) => tests.filter(({ status }) => status === wanted).length;
  const start = Date.parse(report.started_at);
  const { name, version, language } = implementation?.implementation ?? {};
  return {
    reportFormat: "CTRF",
    specVersion: "0.0.0",
    timestamp: report.started_at,
    generatedBy: `agent-loop ${kit}`,
    results: {
      tool: { name: "agent-loop", version: kit },
      summary: {
        tests: tests.length,
        passed: count("passed"),
        failed: count("failed"),
        skipped: count("skipped"),
        pending: count("pending"),
        other: count("other"),
        start,
        stop: start + Math.round(report.duration_ms),
        extra: { verdicts: report.totals, requirements: report.requirements, observed: report.observed },
      },
      tests,
      environment: {
        appName: name ?? driver,
        ...(version !== undefined && { appVersion: version }),
        healthy: exitCodeOf({ report }) === 0,
        extra: { driver, spec, ...(language !== undefined && { language }), seed, shard, start_error },
      },
    },
  };
}

function testBeside({ name, message, file, line }: Beside) {
  const status: Status = "failed";
  const place = { ...(file !== undefined && { filePath: file }), ...(line !== undefined && { line }) };
  return { name: visible(name), status, duration: 0, suite: ["run"], message: visible(message), ...place };
}

function testOf(result: VariantResult, suite: Context["suite"]) {
  const { check, case: id, requirement, variant, verdict, line = 1 } = result;
  const { file } = caseOf(id, suite);
  const status = statuses[outcomes[verdict]];
  return {
    name: `${check} ${variant}`,
    status,
    duration: Math.round(result.duration_ms),
    suite: [areaOf(id), id],
    rawStatus: verdict,
    type: "conformance",
    tags: [requirement, variant],
    ...(file !== undefined && { filePath: file, line }),
    ...(status !== "passed" && { message: whyOf(result) }),
    ...(result.failures !== undefined && { trace: plainDetails(result, suite) }),
    ...(result.repro !== undefined && { extra: { repro: visible(result.repro) } }),
  };
}
