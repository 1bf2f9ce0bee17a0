// Writes for people: a line per variant that needs attention, each failure with its sentence of the spec, and a summary.

import { relative } from "node:path";
import colors from "picocolors";
import { countVerdicts, exitCodeOf, isQuiet } from "../kit/index.ts";
import type { Failure, RunStart, SuiteRun, Totals, VariantResult, Verdict } from "../kit/index.ts";
import type { Reporter, ReporterContext } from "./reporter.ts";
import { showDifference } from "./show-difference.ts";

/** Checks that are shown in full; the rest have had their line. */
const mostDetails = 10;
/** How much of a body on the wire is shown, in characters. */
const mostBody = 1500;

type Paint = ReturnType<typeof colors.createColors>;

export function prettyReporter({ write, suite, color }: ReporterContext): Reporter {
  const paint = colors.createColors(color);
  const line = (text = "") => write(`${text}\n`);
  return {
    start(start) {
      line(headline(start, paint));
    },
    result(result) {
      if (!isQuiet(result.verdict) && result.verdict !== "not-run") line(verdictLine(result, paint));
    },
    end(run) {
      const failed = run.report.variants.filter(({ verdict }) => verdict === "fail" || verdict === "harness-error");
      const byCheck = Map.groupBy(failed, ({ check }) => check);
      for (const results of [...byCheck.values()].slice(0, mostDetails)) {
        line();
        for (const text of details(results, suite, paint)) line(text);
      }
      if (byCheck.size > mostDetails)
        line(
          `\n${byCheck.size - mostDetails} more checks failed; see each with the --case of its line above, or all with --reporter json`,
        );
      for (const text of notRun(run, paint)) line(text);
      if (run.startError !== undefined) line(`\n${paint.red("The driver never initialised:")} ${run.startError}`);
      for (const text of summary(run, paint)) line(text);
    },
  };
}

function headline({ driver, handshake, seed, selected }: RunStart, paint: Paint): string {
  const who = handshake
    ? `${handshake.implementation.name} ${handshake.implementation.version} (${handshake.implementation.language})`
    : driver.name;
  return `${paint.bold(who)}: ${selected} variants, seed ${seed}`;
}

function verdictLine({ verdict, check, variant, failures, reason }: VariantResult, paint: Paint): string {
  const why = failures?.[0] ? `${failures[0].code}: ${firstLine(failures[0].message)}` : (reason ?? "");
  return `${paint.red(verdict.padEnd(4))} ${check} ${paint.dim(variant)}  ${why}`;
}

/** A failed check in full: its first variant, and the names of the others. */
function* details(results: VariantResult[], suite: ReporterContext["suite"], paint: Paint): Generator<string> {
  const [result, ...others] = results as [VariantResult, ...VariantResult[]];
  const entry = suite.cases.find(({ id }) => id === result.case);
  yield paint.bold(paint.red(`✗ ${result.check}`)) + ` ${result.variant}`;
  if (entry) {
    yield `  ${entry.case.title}`;
    yield paint.cyan(`  ${relative(process.cwd(), entry.file)}:${result.line ?? 1}`);
  }
  if (result.reason !== undefined) yield `  ${result.reason}`;
  let last: string | undefined;
  for (const failure of (result.failures ?? []).slice(0, 4)) {
    yield "";
    if (failure.requirement !== undefined && failure.requirement !== last)
      yield* sentence(failure.requirement, suite, paint);
    last = failure.requirement;
    yield* failureLines(failure, paint);
  }
  const hidden = (result.failures?.length ?? 0) - 4;
  if (hidden > 0) yield paint.dim(`  … ${hidden} more failures of this variant`);
  yield* wireLines(result, paint);
  if (others.length > 0) yield paint.dim(`  fails on ${others.map(({ variant }) => variant).join(", ")} too`);
  if (result.repro !== undefined) yield `  ${paint.dim("again:")} ${result.repro}`;
}

function* sentence(id: string, { catalogue }: ReporterContext["suite"], paint: Paint): Generator<string> {
  const requirement = catalogue.requirements.get(id);
  if (!requirement) return;
  yield `  ${paint.bold(id)} ${requirement.text} ${paint.dim(`${requirement.file}:${requirement.line}`)}`;
}

function* failureLines({ code, message, expected, received }: Failure, paint: Paint): Generator<string> {
  const [first, ...rest] = message.split("\n");
  yield `  ${paint.yellow(code)}: ${first}`;
  for (const text of rest) yield `  ${text}`;
  if (expected === undefined && received === undefined) return;
  yield `    ${paint.green("- expected")}  ${paint.red("+ received")}`;
  for (const text of showDifference(expected, received))
    yield `    ${text.startsWith("-") ? paint.green(text) : text.startsWith("+") ? paint.red(text) : text}`;
}

/** The exchange that the failure is about, or the last one. */
function* wireLines({ exchanges = [], failures }: VariantResult, paint: Paint): Generator<string> {
  const number = Number(/model request (\d+)/.exec(failures?.[0]?.message ?? "")?.[1] ?? exchanges.length);
  const exchange = exchanges[number - 1] ?? exchanges.at(-1);
  if (!exchange) return;
  yield "";
  yield paint.dim(`  model request ${Math.min(number, exchanges.length)} of ${exchanges.length}`);
  yield `  → ${cut(wireText(exchange.request))}`;
  if (exchange.response !== undefined) yield `  ← ${cut(wireText(exchange.response))}`;
}

function wireText(side: unknown): string {
  const { method, path, body, status, text } = side as {
    method?: string;
    path?: string;
    body?: unknown;
    status?: number;
    text?: string;
  };
  if (method !== undefined) return `${method} ${path} ${typeof body === "string" ? body : JSON.stringify(body)}`;
  if (status !== undefined && text !== undefined) return `${status} ${text.trimEnd().replaceAll("\n", "\n    ")}`;
  return JSON.stringify(side);
}

/** What was not run, by reason: where a driver cannot be started, every variant has the same. */
function* notRun({ report, startError }: SuiteRun, paint: Paint): Generator<string> {
  if (startError !== undefined) return;
  const reasons = Map.groupBy(
    report.variants.filter(({ verdict }) => verdict === "not-run"),
    ({ reason }) => reason ?? "",
  );
  for (const [reason, results] of reasons) yield `\n${paint.red(`${results.length} variants were not run`)}: ${reason}`;
}

function* summary({ report, ...run }: SuiteRun, paint: Paint): Generator<string> {
  const areas = Map.groupBy(report.variants, ({ requirement }) => requirement.replace(/-\d+$/, ""));
  const shown: Verdict[] = (
    [
      "pass",
      "fail",
      "expected-fail",
      "unexpected-pass",
      "unsupported",
      "not-applicable",
      "not-run",
      "harness-error",
    ] as const
  ).filter((verdict) => report.totals[verdict] > 0);
  const rows = [
    ["", ...shown],
    ...[...areas]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([area, results]) => row(area, countVerdicts(results), shown)),
    row("all", report.totals, shown),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)));
  yield "";
  for (const cells of rows)
    yield cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join("  ");
  yield "";
  const seconds = (report.duration_ms / 1000).toFixed(1);
  const code = exitCodeOf({ report, ...run });
  const { totals } = report;
  if (code === 0) yield paint.green(`${totals.pass} of ${totals.selected} variants passed, none failed (${seconds} s)`);
  else if (totals.pass + totals.fail === 0) yield paint.red(`nothing was executed (${seconds} s)`);
  else yield paint.red(`${totals.fail} of ${totals.selected} variants failed (${seconds} s)`);
}

function row(name: string, totals: Totals, shown: readonly Verdict[]): string[] {
  return [name, ...shown.map((verdict) => String(totals[verdict]))];
}

function cut(text: string): string {
  return text.length <= mostBody ? text : `${text.slice(0, mostBody)} … (${text.length} characters)`;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]!;
}
