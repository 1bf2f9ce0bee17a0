// Writes for people: what is broken, worst first, with what happened to the user and one exemplary exchange, and a summary.

import colors from "picocolors";
import { exitCodeOf, isQuiet } from "../kit/index.ts";
import { counted } from "../kit/base/plural.ts";
import type { Report, ReportHeader, Totals, VariantResult, Verdict } from "../kit/index.ts";
import { countRequirements, requirementVerdicts } from "../kit/run/requirement-verdicts.ts";
import { brokenDetails, failureDetails } from "./failure-details.ts";
import type { Paint } from "./failure-details.ts";
import { failedChecks, outcomes, whyOf } from "./outcome.ts";
import { observedLine } from "./observed.ts";
import { Progress } from "./progress.ts";
import {
  brokenRequirements,
  levelTable,
  requirementSentence,
  requirementWords,
  sentenceOf,
  titleOf,
} from "./requirements.ts";
import type { Reporter, ReporterContext } from "./reporter.ts";
import { firstLine, visible } from "./visible.ts";

/** Requirements that are shown in full; the rest have had their line. */
const most = 10;

export function prettyReporter(context: ReporterContext): Reporter {
  const { write, suite, color, liveColumns, maxDetails = most, now = () => performance.now() } = context;
  const paint = colors.createColors(color);
  const progress = new Progress(write, liveColumns, now);
  /** The requirements of which it was said that they are broken. */
  const named = new Set<string>();
  const line = (text = "") => {
    progress.clear();
    write(`${text}\n`);
  };
  return {
    start(header) {
      line(headline(header, paint));
      progress.start(header.selected);
    },
    begin: (begun) => progress.begin(begun),
    result(result) {
      progress.result(result);
      for (const text of news(result, named, suite, paint)) line(text);
      progress.show();
    },
    end(report) {
      const broken = brokenRequirements(report, suite);
      for (const one of broken.slice(0, maxDetails)) {
        line();
        for (const text of brokenDetails(one, suite, paint)) line(text);
      }
      if (broken.length > maxDetails)
        line(
          `\n${counted(broken.length - maxDetails, "more requirement")} ${broken.length - maxDetails === 1 ? "is" : "are"} broken; see each with the --case of its line above, or all with --reporter json`,
        );
      for (const result of report.variants.filter(({ verdict }) => verdict === "unexpected-pass"))
        line(needsAttention(result, paint));
      for (const results of failedChecks(report)
        .filter(([{ verdict }]) => verdict !== "fail")
        .slice(0, maxDetails)) {
        line();
        for (const text of failureDetails(results, suite, paint)) line(text);
      }
      for (const text of notRun(report, paint)) line(text);
      if (report.start_error !== undefined)
        line(`\n${paint.red("The driver never initialised:")} ${visible(report.start_error)}`);
      for (const text of knownLines(report, paint)) line(text);
      for (const text of problemLines(report, paint)) line(text);
      for (const text of undeclaredLines(report)) line(text);
      for (const text of summary(report, suite, paint)) line(text);
    },
  };
}

function headline(header: ReportHeader, paint: Paint): string {
  const { driver, implementation, seed, splits, selected, shard, one_at_a_time: isHeldBack } = header;
  const { name = driver, version, language } = implementation?.implementation ?? {};
  const who = firstLine(version === undefined ? name : `${name} ${version} (${language})`);
  const part = shard ? `, shard ${shard.index} of ${shard.count}` : "";
  const cut = splits ? `, splits ${splits.join(" ")}` : "";
  const alone = isHeldBack ? ", one run at a time" : "";
  return `${paint.bold(who)}: ${counted(selected, "variant")}${part}${seed === undefined ? "" : `, seed ${seed}`}${cut}${alone}`;
}

/** A line for each requirement that is found broken for the first time, and for each other verdict that needs attention. */
function* news(
  result: VariantResult,
  named: Set<string>,
  suite: ReporterContext["suite"],
  paint: Paint,
): Generator<string> {
  for (const { id, broken } of requirementVerdicts([result])) {
    const [example] = broken;
    if (!example || named.has(id)) continue;
    named.add(id);
    const requirement = suite.catalogue.requirements.get(id);
    const what = titleOf({ id, requirement });
    yield `${paint.red("broken")} ${what}: ${sentenceOf({ id, example })} ${paint.dim(`${result.check} ${result.variant}`)}`;
  }
  const { verdict } = result;
  // One that passes though it is listed may still be found to have killed the driver: it is reported at the end.
  if (isQuiet(verdict) || ["not-run", "fail", "unexpected-pass"].includes(verdict)) return;
  yield needsAttention(result, paint);
}

function needsAttention(result: VariantResult, paint: Paint): string {
  const { verdict, check, variant } = result;
  return `${paint.red(verdict)} ${check} ${paint.dim(variant)}  ${whyOf(result).replace(`${verdict}: `, "")}`;
}

/** What was not run, by reason: where a driver cannot be started, every variant has the same. */
function* notRun({ variants, start_error }: Report, paint: Paint): Generator<string> {
  if (start_error !== undefined) return;
  const missed = variants.filter(({ verdict }) => verdict === "not-run");
  for (const [reason, results] of Map.groupBy(missed, ({ reason }) => reason ?? ""))
    yield `\n${paint.red(`${counted(results.length, "variant")} ${results.length === 1 ? "was" : "were"} not run`)}: ${visible(reason)}`;
}

/** Every requirement that a list excuses, whichever entry does: what is known must not be forgotten. */
function* knownLines({ variants }: Report, paint: Paint): Generator<string> {
  const known = requirementVerdicts(variants).filter(({ counts }) => counts.known !== undefined);
  if (known.length === 0) return;
  yield "";
  for (const { id, counts } of known)
    yield paint.dim(`known ${id}: broken as listed in ${counted(counts.known!, "variant")}`);
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

function* summary(report: Report, { catalogue }: ReporterContext["suite"], paint: Paint): Generator<string> {
  yield "";
  yield* levelTable(report, catalogue);
  yield "";
  yield `requirements: ${requirementWords(report)}`;
  yield `variants: ${verdictWords(report.totals)}`;
  const observed = observedLine(report);
  if (observed !== undefined) yield visible(observed);
  if (report.one_at_a_time)
    yield "not seen: what only overlapping runs bring out (DRIVER-27), for the driver takes several, and was given one at a time";
  const seconds = (report.duration_ms / 1000).toFixed(1);
  const color = exitCodeOf({ report }) === 0 ? paint.green : paint.red;
  yield color(`${lastWord(report)} (${seconds} s)`);
}

/** Every verdict that a variant has, in one line. */
function verdictWords(totals: Totals): string {
  return (Object.keys(outcomes) as Verdict[])
    .filter((verdict) => totals[verdict] > 0)
    .map((verdict) => `${totals[verdict]} ${verdict}`)
    .join(", ");
}

/** One verdict: of the requirements first, and then of the variants, which never sounds better. @see REPORT-15 */
function lastWord(report: Report): string {
  const { selected, pass, fail, ...others } = report.totals;
  const executed = pass + fail + others["expected-fail"] + others["unexpected-pass"];
  if (executed === 0) return "nothing was executed";
  const requirements = requirementSentence(report);
  const { broken } = countRequirements(report.variants);
  const isGood = exitCodeOf({ report }) === 0;
  const isAllKnown = pass === 0 && others["expected-fail"] > 0;
  const passed = isAllKnown
    ? `no variant passed of ${selected}`
    : `${pass} of ${counted(selected, "variant")} passed${isGood ? ", none failed" : ""}${broken > 0 ? ", each by what its own case tests" : ""}`;
  const first = fail === 0 ? passed : `${fail} of ${counted(selected, "variant")} failed`;
  const more: [count: number, what: string][] = [
    [others["expected-fail"], "failed as expected"],
    [others["unexpected-pass"], "passed unexpectedly"],
    [others.unsupported, "unsupported"],
    [others["not-run"], "not run"],
    [others["harness-error"], "lost by a bug of the kit"],
  ];
  const problems = report.problems?.length ?? 0;
  const variants = [
    first,
    ...more.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`),
    ...(problems > 0 ? [`${counted(problems, "false claim")} in its files`] : []),
  ].join(", ");
  return requirements === undefined ? variants : `${requirements}; ${variants}`;
}
