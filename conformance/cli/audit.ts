// The command `audit`: says of recorded traffic of an agent which requirements it keeps, and which it broke, and where. No driver is needed.

import { exitCodeOf } from "../kit/index.ts";
import type { ReportProblem } from "../../schemas/types.ts";
import type { JudgedLevel } from "../kit/suite/levels.ts";
import { UsageError } from "../kit/base/usage-error.ts";
import { readFixture } from "../traffic/fixture/fixture-file.ts";
import { auditReport, auditSuite } from "../traffic/read/audit-report.ts";
import type { JudgedFile } from "../traffic/read/audit-report.ts";
import { readExpectation, unmetLines } from "../traffic/read/expectation.ts";
import type { Unmet } from "../traffic/read/expectation.ts";
import { judgeTraffic } from "../traffic/read/judge-traffic.ts";
import { auditLines } from "./audit-lines.ts";
import { openReporters, targetsOf } from "./shared/reporting.ts";
import { wantsColor } from "./shared/terminal.ts";

/** The options of the command line. */
export interface AuditOptions {
  level?: JudgedLevel;
  reporter?: string[];
  json?: boolean;
  expect?: string;
}

/** Exit code 1 if a requirement is broken, or an expectation was not met; notes alone are no breach. @see FIXTURE-11 */
export async function audit(files: readonly string[], options: AuditOptions): Promise<void> {
  process.exitCode = await auditFiles(files, options, process.stdout);
}

/**
 * Audits fixtures.
 * @param stream where a report for people is written
 * @returns the exit code
 * @throws UsageError if nothing in a file can be audited
 */
export async function auditFiles(
  files: readonly string[],
  { level, json = false, expect, reporter }: AuditOptions,
  stream: NodeJS.WriteStream,
): Promise<number> {
  if (json && reporter)
    throw new UsageError("--json lists the places that are broken, --reporter json writes a report; give one of them");
  const targets = json ? [] : targetsOf(reporter);
  const unmetBy = expect === undefined ? undefined : readExpectation(expect);
  const began = new Date();
  const start = performance.now();
  const suite = auditSuite(files);
  const judged: HeldFile[] = [];
  for (const file of files) {
    const fixture = await readFixture(file);
    const found = await judgeTraffic(fixture, suite.catalogue.requirements, level);
    if (found.requests === 0)
      throw new UsageError(`${file} has no request that can be audited: it has only answers, or unknown formats`);
    judged.push({ file, fixture, ...found, ...(unmetBy && { unmet: await unmetBy(fixture.exchanges) }) });
  }
  const problems = judged.flatMap(({ unmet = [] }) => unmet.map(problemOf));
  const report = auditReport(judged, { began, duration_ms: performance.now() - start, level, problems });
  if (json) console.log(JSON.stringify(judged.map(placesOf), null, 2));
  const others = targets.filter(({ name, file }) => name !== "pretty" || file !== undefined);
  (await openReporters(others, suite)).end(report);
  const lines =
    others.length < targets.length ? auditLines(report, judged, suite, wantsColor(stream, process.env)) : [];
  for (const line of lines) stream.write(`${line}\n`);
  return exitCodeOf({ report });
}

/** A recording that was judged, and held against expectations where there are any. */
interface HeldFile extends JudgedFile {
  unmet?: Unmet[];
}

function problemOf(one: Unmet): ReportProblem {
  const { file, line } = one;
  return { file, line, message: unmetLines(one).join("\n").slice(`${file}:${line}: `.length) };
}

function placesOf({ file, requests, conversations, breaches, notes, unmet }: HeldFile) {
  const findings = [...breaches, ...notes].sort((one, other) => one.exchange - other.exchange);
  return { file, requests, conversations, findings, ...(unmet && { unmet }) };
}
