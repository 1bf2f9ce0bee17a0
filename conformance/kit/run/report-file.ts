// Reads and writes a report as JSON Lines: a header, a line for each variant, and a footer without which it was cut off.

import { commandLine } from "../base/cli-name.ts";
import type { Finding, ReportFooter, ReportHeader, ReportLine, VariantResult } from "../../../schemas/types.ts";
import type { Report } from "./make-report.ts";
import { validate } from "../base/validate.ts";
import { countRequirements } from "./requirement-verdicts.ts";
import { countVerdicts } from "./verdicts.ts";

/** A text is not a whole report. The message says where and why, and what to do. */
export class ReportError extends Error {
  override readonly name = "ReportError";
}

/** The version of the format that this kit writes and reads. */
const version = 1;

/** A report in the parts of which its lines are made. */
export function partsOf(report: Report): { header: ReportHeader; variants: VariantResult[]; footer: ReportFooter } {
  const { variants, totals, requirements, observed, duration_ms, start_error, problems, undeclared, ...header } =
    report;
  const footer = {
    totals,
    ...(requirements !== undefined && { requirements }),
    ...(observed !== undefined && { observed }),
    duration_ms,
    ...(start_error !== undefined && { start_error }),
    ...(problems !== undefined && { problems }),
    ...(undeclared !== undefined && { undeclared }),
  };
  return { header, variants, footer };
}

/** The report as text, valid line by line against report.schema.json. @see REPORT-1 */
export function reportLines(report: Report): string {
  const { header, variants, footer } = partsOf(report);
  const lines: ReportLine[] = [{ header }, ...variants.map((result) => ({ result: packed(result) })), { footer }];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** The result with the ids of what is kept in place of a finding for each: most of a report is what nothing is wrong with. */
function packed(result: VariantResult): VariantResult {
  const { findings = [] } = result;
  const first = 1 + findings.findLastIndex((finding, at) => at === 0 || !isPlainlyKept(finding));
  if (first >= findings.length) return result;
  const kept = findings.slice(first).map(({ requirement }) => requirement);
  return { ...result, findings: findings.slice(0, first), kept };
}

function unpacked({ kept, findings = [], ...result }: VariantResult): VariantResult {
  return {
    ...result,
    findings: [...findings, ...kept!.map((requirement): Finding => ({ requirement, verdict: "kept" }))],
  };
}

function isPlainlyKept(finding: Finding): boolean {
  return finding.verdict === "kept" && Object.keys(finding).length === 2;
}

/**
 * Reads a report.
 * @param name how errors call the text, such as its file
 * @throws ReportError unless it has its header, every variant once, and the footer that counts them
 * @see REPORT-2 REPORT-3
 */
export function readReport(text: string, name: string): Report {
  const lines = text.split("\n").map((line, index) => ({ line, at: `${name}:${index + 1}` }));
  const written = lines.filter(({ line }) => line.trim() !== "");
  if (written.length > 1 && isJson(text))
    throw new ReportError(
      `${name} is JSON, but no report, which has a JSON value in each line and is written by: ${commandLine} test --reporter json`,
    );
  const entries = written.map(({ line, at }, index) => readLine(line, at, index === written.length - 1));
  const [first, ...rest] = entries;
  if (!first) throw new ReportError(`${name} is empty; a report is written by: ${commandLine} test --reporter json`);
  if (!first.header) throw new ReportError(`${first.at} is not the header of a report, which is its first line`);
  const footer = rest.at(-1)?.footer;
  if (!footer) throw cutOff(name);
  const results = rest.slice(0, -1);
  const other = results.find(({ result }) => !result);
  if (other?.footer) throw new ReportError(`${other.at} is a footer, but lines follow it; a file has one report`);
  if (other) throw new ReportError(`${other.at} is a second header; a file has one report`);
  return checked(name, first.header, results as { at: string; result: VariantResult }[], footer);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function readLine(line: string, at: string, isLast: boolean): ReportLine & { at: string } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    if (isLast) throw cutOff(at);
    throw new ReportError(`${at} is not JSON: ${(error as Error).message}`);
  }
  const reportVersion = (value as { header?: { report?: unknown } } | null)?.header?.report;
  if (reportVersion !== undefined && reportVersion !== version)
    throw new ReportError(
      `${at} is a report of version ${JSON.stringify(reportVersion)}; this kit reads version ${version}`,
    );
  const [problem] = validate("ReportLine", value);
  if (problem) throw new ReportError(`${at} is no line of a report: ${problem.pointer} ${problem.message}`);
  return { ...(value as ReportLine), at };
}

/** @throws ReportError unless the footer counts what the lines say */
function checked(
  name: string,
  header: ReportHeader,
  results: readonly { at: string; result: VariantResult }[],
  footer: ReportFooter,
): Report {
  const seen = new Set<string>();
  for (const { at, result } of results) {
    const key = keyOf(result);
    if (seen.has(key)) throw new ReportError(`${at} is about ${key} again; a variant has one line`);
    seen.add(key);
  }
  const variants = results.map(({ result }) => (result.kept ? unpacked(result) : result));
  const counted = countVerdicts(variants);
  const wrong = Object.entries(counted).find(([verdict, count]) => footer.totals[verdict as "pass"] !== count);
  if (wrong)
    throw new ReportError(
      `${name} does not add up: its footer counts ${footer.totals[wrong[0] as "pass"]} ${wrong[0]}, its lines are ${wrong[1]}; lines were lost or changed`,
    );
  const requirements = Object.entries(countRequirements(variants));
  const odd = requirements.find(([verdict, count]) => (footer.requirements?.[verdict as "kept"] ?? count) !== count);
  if (odd)
    throw new ReportError(
      `${name} does not add up: its footer counts ${footer.requirements![odd[0] as "kept"]} requirements as ${odd[0]}, its lines are ${odd[1]}; lines were lost or changed`,
    );
  if (header.selected !== variants.length)
    throw new ReportError(
      `${name} does not add up: its header says ${header.selected}, its lines are ${variants.length}`,
    );
  return { ...header, ...footer, variants };
}

/** Identifies a variant in a report. */
export function keyOf({ check, variant }: VariantResult): string {
  return `${check} ${variant}`;
}

function cutOff(at: string): ReportError {
  return new ReportError(
    `${at} has no footer: the run that wrote it did not end, or the file was cut off; run it again and use the new file`,
  );
}
