// Reports to GitHub Actions: an annotation for each requirement that is broken, at the case that shows it, and a summary of the job.

import { appendFileSync } from "node:fs";
import type { Report } from "../kit/index.ts";
import { exitCodeOf } from "../kit/index.ts";
import { plainDetails } from "./failure-details.ts";
import { besideRequirements, caseOf, failedChecks, whyOf } from "./outcome.ts";
import { shownPolicies } from "./observed.ts";
import { brokenRequirements, extentOf, requirementWords, sentenceOf, titleOf } from "./requirements.ts";
import type { BrokenRequirement } from "./requirements.ts";
import { isForeign, ownFile } from "./own-file.ts";
import type { Reporter, ReporterContext } from "./reporter.ts";
import { firstLine, visible } from "./visible.ts";

type Context = Pick<ReporterContext, "write" | "suite" | "summaryFile">;

/** Broken requirements in the summary, of which GitHub takes one mebibyte for a step. */
const maxRows = 100;
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
        appendFileSync(summaryFile, summary(report, suite));
      } catch (error) {
        // It does not concern the implementation.
        write(`${command("warning", {}, `the job has no summary: ${(error as Error).message}`)}\n`);
      }
    },
  };
}

/** One for each requirement that is broken, however many variants show it, because only few are shown; then what else is red. */
function* annotations(report: Report, suite: Context["suite"]): Generator<string> {
  const broken = brokenRequirements(report, suite);
  if (broken.length > maxAnnotations)
    yield command(
      "notice",
      {},
      `${broken.length} requirements are broken, of which GitHub shows ${maxAnnotations} here`,
    );
  for (const one of broken) {
    const { result } = one.example;
    const { file } = caseOf(result.case, suite);
    const details = `${sentenceOf(one)}\n${extentOf(one)}\n${plainDetails(result, suite)}`;
    yield command("error", place({ file, line: result.line, title: titleOf(one) }, report), details);
  }
  for (const { name, message, file, line } of besideRequirements(report))
    yield command("error", place({ file, line, title: `not so: ${name}` }, report), visible(message));
  for (const results of failedChecks(report)) {
    const others = results.filter(({ verdict }) => verdict !== "fail");
    const [result] = others;
    if (!result) continue;
    const { file } = caseOf(result.case, suite);
    const title = `${result.check} on ${others.map(({ variant }) => variant).join(", ")}`;
    yield command(
      "error",
      place({ file, line: result.line, title }, report),
      `${whyOf(result)}\n${plainDetails(result, suite)}`,
    );
  }
}

interface Place {
  file?: string | undefined;
  line?: number | undefined;
  title: string;
}

/**
 * What is known of the place; a line without a file is useless. GitHub shows nothing at a file that is not in the repository, so that a
 * case of an installed package stands at the driver.
 */
function place({ file, line = 1, title }: Place, { driver }: Pick<Report, "driver">) {
  if (file !== undefined && !isForeign(file)) return { file, line, title };
  const own = ownFile(driver);
  return own === undefined ? { title } : { file: own, line: 1, title };
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

function summary(report: Report, suite: Context["suite"]): string {
  const { totals, driver, spec, implementation } = report;
  const { name = driver, version = "" } = implementation?.implementation ?? {};
  const rows = Object.entries(totals).filter(([verdict, count]) => count > 0 || verdict === "selected");
  const broken = brokenRequirements(report, suite);
  const hidden = broken.length - maxRows;
  return [
    `## ${exitCodeOf({ report }) === 0 ? "✅" : "❌"} ${cell(`${name} ${version}`.trim())} against Agent Loop Spec ${spec}`,
    "",
    `Requirements: ${requirementWords(report)}.`,
    ...shownPolicies(report).flatMap(({ policy, words }, at) => [
      ...(at === 0 ? ["", "| observed | |", "|---|---|"] : []),
      `| ${cell(policy)} | ${cell(words)} |`,
    ]),
    ...(broken.length === 0 ? [] : ["", "| broken | what happened | where |", "|---|---|---|"]),
    ...broken.slice(0, maxRows).map(row),
    ...(hidden > 0 ? ["", `… and ${hidden} more requirements`] : []),
    ...besideRequirements(report).flatMap(({ name: what, message }) => [
      "",
      `Not so: ${cell(what)}: ${cell(firstLine(message))}`,
    ]),
    "",
    `Variants: ${rows.map(([verdict, count]) => `${count} ${verdict}`).join(", ")}.`,
    "",
    "",
  ].join("\n");
}

function row(broken: BrokenRequirement): string {
  const { result } = broken.example;
  const where = `${extentOf(broken)}, such as ${result.check} ${result.variant}`;
  return `| ${cell(titleOf(broken))} | ${cell(sentenceOf(broken).slice(0, maxReason))} | ${cell(where)} |`;
}

/** A text in a table of Markdown, in which nothing is a link, an image, a mention or HTML. */
function cell(text: string): string {
  return visible(text)
    .replaceAll(/[\n\t]/g, " ")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/[\\`*_[\]{}()#+!|~@$]/g, "\\$&");
}
