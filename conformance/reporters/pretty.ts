// Writes for people: a line per variant that needs attention, each failure with its sentence of the spec, and a summary.

import colors from "picocolors";
import { countVerdicts, exitCodeOf, isQuiet } from "../kit/index.ts";
import { counted } from "../kit/base/plural.ts";
import type { Report, ReportHeader, Totals, VariantResult, Verdict } from "../kit/index.ts";
import { failureDetails } from "./failure-details.ts";
import type { Paint } from "./failure-details.ts";
import { failedChecks, outcomes, whyOf } from "./outcome.ts";
import { Progress } from "./progress.ts";
import type { Reporter, ReporterContext } from "./reporter.ts";
import { firstLine, visible } from "./visible.ts";

/** Checks that are shown in full; the rest have had their line. */
const most = 10;

export function prettyReporter({ write, suite, color, liveColumns, maxDetails = most }: ReporterContext): Reporter {
  const paint = colors.createColors(color);
  const progress = liveColumns === undefined ? undefined : new Progress(write, liveColumns);
  const line = (text = "") => {
    progress?.clear();
    write(`${text}\n`);
  };
  return {
    start(header) {
      line(headline(header, paint));
      progress?.start(header.selected);
    },
    begin: (begun) => progress?.begin(begun),
    result(result) {
      progress?.result(result);
      if (!isQuiet(result.verdict) && result.verdict !== "not-run") line(verdictLine(result, paint));
      progress?.show();
    },
    end(report) {
      const checks = failedChecks(report);
      for (const results of checks.slice(0, maxDetails)) {
        line();
        for (const text of failureDetails(results, suite, paint)) line(text);
      }
      if (checks.length > maxDetails)
        line(
          `\n${counted(checks.length - maxDetails, "more check")} failed; see each with the --case of its line above, or all with --reporter json`,
        );
      for (const text of notRun(report, paint)) line(text);
      if (report.start_error !== undefined)
        line(`\n${paint.red("The driver never initialised:")} ${visible(report.start_error)}`);
      for (const text of problemLines(report, paint)) line(text);
      for (const text of undeclaredLines(report)) line(text);
      for (const text of summary(report, paint)) line(text);
    },
  };
}

function headline({ driver, implementation, seed, splits, selected, shard }: ReportHeader, paint: Paint): string {
  const { name = driver, version, language } = implementation?.implementation ?? {};
  const who = firstLine(version === undefined ? name : `${name} ${version} (${language})`);
  const part = shard ? `, shard ${shard.index} of ${shard.count}` : "";
  const cut = splits ? `, splits ${splits.join(" ")}` : "";
  return `${paint.bold(who)}: ${counted(selected, "variant")}${part}${seed === undefined ? "" : `, seed ${seed}`}${cut}`;
}

function verdictLine(result: VariantResult, paint: Paint): string {
  const { verdict, check, variant } = result;
  const why = whyOf(result).replace(`${verdict}: `, "");
  return `${paint.red(verdict.padEnd(4))} ${check} ${paint.dim(variant)}  ${why}`;
}

/** What was not run, by reason: where a driver cannot be started, every variant has the same. */
function* notRun({ variants, start_error }: Report, paint: Paint): Generator<string> {
  if (start_error !== undefined) return;
  const missed = variants.filter(({ verdict }) => verdict === "not-run");
  for (const [reason, results] of Map.groupBy(missed, ({ reason }) => reason ?? ""))
    yield `\n${paint.red(`${counted(results.length, "variant")} ${results.length === 1 ? "was" : "were"} not run`)}: ${visible(reason)}`;
}

/** What is wrong beside the variants. */
function* problemLines({ problems = [] }: Report, paint: Paint): Generator<string> {
  if (problems.length > 0) yield "";
  for (const { file, line, message } of problems)
    yield `${paint.red(visible(line === undefined ? file : `${file}:${line}`))} ${visible(message)}`;
}

/** What the driver seems to have and does not say. */
function* undeclaredLines({ undeclared }: Report): Generator<string> {
  if (undeclared === undefined) return;
  const names = undeclared.map(visible).join(", ");
  yield names === ""
    ? "\nno undeclared feature passes its cases"
    : `\nnot declared, though every case that was tried passes: ${names}; declare what it has`;
}

function* summary(report: Report, paint: Paint): Generator<string> {
  const { totals, variants } = report;
  const areas = Map.groupBy(variants, ({ requirement }) => requirement.replace(/-\d+$/, ""));
  const shown = (Object.keys(outcomes) as Verdict[]).filter((verdict) => totals[verdict] > 0);
  const rows = [
    ["", ...shown],
    ...[...areas]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([area, results]) => row(area, countVerdicts(results), shown)),
    row("all", totals, shown),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)));
  yield "";
  for (const cells of rows)
    yield cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join("  ");
  yield "";
  const seconds = (report.duration_ms / 1000).toFixed(1);
  const color = exitCodeOf({ report }) === 0 ? paint.green : paint.red;
  yield color(`${lastWord(report)} (${seconds} s)`);
}

function lastWord(report: Report): string {
  const { selected, pass, fail, ...others } = report.totals;
  const executed = pass + fail + others["expected-fail"] + others["unexpected-pass"];
  if (executed === 0) return "nothing was executed";
  const isGood = exitCodeOf({ report }) === 0;
  const first = isGood
    ? `${pass} of ${counted(selected, "variant")} passed, none failed`
    : `${fail} of ${counted(selected, "variant")} failed`;
  const more: [count: number, what: string][] = [
    [others["expected-fail"], "failed as expected"],
    [others["unexpected-pass"], "passed unexpectedly"],
    [others["not-run"], "not run"],
    [others["harness-error"], "lost by a bug of the kit"],
  ];
  const problems = report.problems?.length ?? 0;
  return [
    first,
    ...more.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`),
    ...(problems > 0 ? [`${counted(problems, "false claim")} in its files`] : []),
  ].join(", ");
}

function row(name: string, totals: Totals, shown: readonly Verdict[]): string[] {
  return [name, ...shown.map((verdict) => String(totals[verdict]))];
}
