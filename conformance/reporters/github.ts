// Reports to GitHub Actions: an annotation at the line of each case that failed, and a summary of the job.

import { appendFileSync } from "node:fs";
import type { Report } from "../kit/index.ts";
import { exitCodeOf } from "../kit/index.ts";
import { plainDetails } from "./failure-details.ts";
import { besideVariants, caseOf, failedChecks, whyOf } from "./outcome.ts";
import type { FailedCheck } from "./outcome.ts";
import type { Reporter, ReporterContext } from "./reporter.ts";
import { firstLine, visible } from "./visible.ts";

type Context = Pick<ReporterContext, "write" | "suite" | "summaryFile">;

/** Failed checks in the summary, of which GitHub takes one mebibyte for a step. */
const maxChecks = 100;
/** How much of a reason one row of the summary has, in characters. */
const maxReason = 300;
/** GitHub shows this many errors of a step; the rest is only in the log. */
const maxAnnotations = 10;

/** @see https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands */
export function githubReporter({ write, suite, summaryFile }: Context): Reporter {
  return {
    end(report) {
      for (const line of annotations(report, suite)) write(`${line}\n`);
      if (summaryFile === undefined) return;
      try {
        appendFileSync(summaryFile, summary(report));
      } catch (error) {
        // It does not concern the implementation.
        write(`${command("warning", {}, `the job has no summary: ${(error as Error).message}`)}\n`);
      }
    },
  };
}

/** One for each check, however many of its variants failed, because only few are shown. */
function* annotations(report: Report, suite: Context["suite"]): Generator<string> {
  for (const { name, message, file, line } of besideVariants(report))
    yield command("error", place({ file, line, title: `not so: ${name}` }), visible(message));
  const checks = failedChecks(report);
  if (checks.length > maxAnnotations)
    yield command("notice", {}, `${checks.length} checks failed, of which GitHub shows ${maxAnnotations} here`);
  for (const results of checks) {
    const [result] = results;
    const { file } = caseOf(result.case, suite);
    const title = `${result.check} on ${results.map(({ variant }) => variant).join(", ")}`;
    yield command(
      "error",
      place({ file, line: result.line, title }),
      `${whyOf(result)}\n${plainDetails(result, suite)}`,
    );
  }
}

/** What is known of the place; a line without a file is useless. */
function place({ file, line = 1, title }: { file?: string | undefined; line?: number | undefined; title: string }) {
  return file === undefined ? { title } : { file, line, title };
}

function command(name: string, properties: Record<string, string | number>, message: string): string {
  const list = Object.entries(properties).map(([key, value]) => `${key}=${escapedProperty(visible(String(value)))}`);
  return `::${[name, list.join(",")].join(" ").trimEnd()}::${escapedData(message)}`;
}

function escapedData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapedProperty(text: string): string {
  return escapedData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

function summary(report: Report): string {
  const { totals, driver, spec, implementation } = report;
  const { name = driver, version = "" } = implementation?.implementation ?? {};
  const rows = Object.entries(totals).filter(([verdict, count]) => count > 0 || verdict === "selected");
  const checks = failedChecks(report);
  const hidden = checks.length - maxChecks;
  return [
    `## ${exitCodeOf({ report }) === 0 ? "✅" : "❌"} ${cell(`${name} ${version}`.trim())} against Agent Loop Spec ${spec}`,
    "",
    `| ${rows.map(([verdict]) => verdict).join(" | ")} |`,
    `|${rows.map(() => "---:|").join("")}`,
    `| ${rows.map(([, count]) => count).join(" | ")} |`,
    ...besideVariants(report).flatMap(({ name, message }) => [
      "",
      `Not so: ${cell(name)}: ${cell(firstLine(message))}`,
    ]),
    ...(checks.length === 0 ? [] : ["", "| failed check | variants | why |", "|---|---|---|"]),
    ...checks.slice(0, maxChecks).map(row),
    ...(hidden > 0 ? ["", `… and ${hidden} more checks`] : []),
    "",
    "",
  ].join("\n");
}

function row(results: FailedCheck): string {
  const variants = results.map(({ variant }) => variant).join(", ");
  return `| ${cell(results[0].check)} | ${cell(variants)} | ${cell(whyOf(results[0]).slice(0, maxReason))} |`;
}

/** A text in a table of Markdown, in which nothing is a link, an image, a mention or HTML. */
function cell(text: string): string {
  return visible(text)
    .replaceAll(/[\n\t]/g, " ")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/[\\`*_[\]{}()#+!|~@$]/g, "\\$&");
}
