// What `probe` prints for people: a line for each scenario when it ends, and then every finding, the worst first.

import colors from "picocolors";
import type { Finding } from "../../schemas/types.ts";
import { exitCodeOf } from "../kit/index.ts";
import type { Report, Suite } from "../kit/index.ts";
import { counted } from "../kit/base/plural.ts";
import type { FoundAgent } from "../probe/agent-files.ts";
import type { JudgedScenario } from "../probe/report.ts";
import { severities } from "../probe/severities.ts";
import { visible } from "../reporters/visible.ts";
import { fitted } from "./shared/fitted.ts";
import { wantsColor } from "./shared/terminal.ts";

/** Writes the report to a terminal. */
export function probeReporter(stream: NodeJS.WriteStream, suite: Suite) {
  const paint = colors.createColors(wantsColor(stream, process.env));
  const line = (text = "") => {
    for (const one of fitted([text], stream.columns)) stream.write(`${one}\n`);
  };
  return {
    start({ name, package: found }: FoundAgent, count: number): void {
      line(`${paint.bold(`${name} ${found?.version ?? ""}`.trim())}: ${counted(count, "scenario")}`);
    },
    judged({ mark, text }: ProgressLine): void {
      line(`${mark === "✗" ? paint.red(mark) : mark === "✓" ? paint.green(mark) : paint.dim(mark)} ${text}`);
    },
    /** What is known when the probe is ended before its end. */
    interrupted(judged: readonly JudgedScenario[], count: number): void {
      const broken = judged.flatMap(({ findings }) => findings.filter(({ verdict }) => verdict === "broken"));
      const ids = [...new Set(broken.map(({ requirement }) => requirement))];
      const soFar = ids.length === 0 ? "none broken so far" : `broken so far: ${ids.join(", ")}`;
      line();
      line(
        paint.red(
          `interrupted after ${judged.length} of ${counted(count, "scenario")}, ${soFar}; no report was written`,
        ),
      );
    },
    end(report: Report, judged: readonly JudgedScenario[], notes: readonly string[]): void {
      for (const { result, severity, also } of brokenResults(report, judged)) {
        const [failure] = result.failures ?? [];
        line();
        line(`${paint.red(paint.bold(severity))} ${visible(failure?.message.replace(/ \([^)]*\)$/, "") ?? "")}`);
        const sentence = suite.catalogue.requirements.get(result.requirement)?.text ?? "";
        line(`  ${paint.bold(result.requirement)} ${sentence}`);
        if (failure?.received !== undefined) line(`  seen: ${visible(String(failure.received)).slice(0, 300)}`);
        line(
          paint.dim(
            `  ${result.case}, ${/model request \d+/.exec(failure?.message ?? "")?.[0] ?? "at its end"}${failure?.path ?? ""}`,
          ),
        );
        if (also.length > 0) line(paint.dim(`  also in ${also.slice(0, 6).join(", ")}${also.length > 6 ? " …" : ""}`));
        line(paint.dim(`  again: ${visible(result.repro ?? "")}`));
      }
      line();
      if (report.start_error !== undefined) line(paint.red(visible(report.start_error)));
      for (const { file, line: at, message } of report.problems ?? [])
        line(paint.red(`${file}:${at ?? 1} ${visible(message)}`));
      for (const note of notes) line(paint.dim(note));
      const color = exitCodeOf({ report }) === 0 ? paint.green : paint.red;
      line(color(lastLine(report)));
    },
  };
}

/** A scenario in one line. */
export interface ProgressLine {
  mark: "✓" | "✗" | "–";
  text: string;
}

/** What one scenario showed. */
export function progressLine({ name, findings, run }: JudgedScenario): ProgressLine {
  const broken = findings.filter(({ verdict }) => verdict === "broken");
  const seconds = `${(run.durationMs / 1000).toFixed(1)} s`;
  if (broken.length > 0)
    return {
      mark: "✗",
      text: `${name}  broken: ${broken.map(({ requirement }) => requirement).join(", ")}  (${seconds})`,
    };
  const isKept = findings.some(({ verdict }) => verdict === "kept");
  if (isKept) return { mark: "✓", text: `${name}  (${seconds})` };
  return { mark: "–", text: `${name}  ${reasonOf(findings)}  (${seconds})` };
}

/** The requests beside the conversations, each kind once. */
export function sideLines(judged: readonly JudgedScenario[]): string[] {
  const sides = judged.flatMap(({ run }) => run.exchanges.filter(({ side }) => side !== undefined));
  const groups = Map.groupBy(
    sides,
    ({ side, exchange: { request } }) => `${side}: ${request?.method} ${request?.path.split("?", 1)[0]}`,
  );
  return [...groups].map(([what, { length }]) => `beside the conversation, ${length} times: ${visible(what)}`);
}

function reasonOf(findings: readonly Finding[]): string {
  const [{ verdict, reason } = { verdict: "not_seen", reason: "" }] = findings;
  return `${verdict === "not_applicable" ? "not applicable" : "not seen"}: ${visible(reason ?? "")}`;
}

/** One for each thing that happened, the worst first, and the other scenarios in which it did. */
function brokenResults({ variants }: Report, judged: readonly JudgedScenario[]) {
  const severityOf = (scenario: string, requirement: string) =>
    judged.find(({ name }) => name === scenario)?.findings.find((one) => one.requirement === requirement)?.severity ??
    "bricks";
  const broken = variants.filter(({ verdict }) => verdict === "fail" || verdict === "unexpected-pass");
  const alike = Map.groupBy(broken, ({ requirement, failures }) =>
    [requirement, failures?.[0]?.message.replaceAll(/\d+/g, "#")].join(" "),
  );
  return [...alike.values()]
    .map(([result, ...others]) => ({
      result: result!,
      severity: severityOf(result!.case, result!.requirement),
      also: others.map((one) => one.case),
    }))
    .sort((one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity));
}

/** Requirements are counted once: as broken, if any scenario showed it. */
function lastLine({ variants, duration_ms }: Report): string {
  const byRequirement = [...Map.groupBy(variants, ({ requirement }) => requirement).values()];
  const rank = ["fail", "unexpected-pass", "expected-fail", "pass", "unsupported", "not-applicable"];
  const worst = byRequirement.map(
    (results) => results.map(({ verdict }) => verdict).sort((one, other) => rank.indexOf(one) - rank.indexOf(other))[0],
  );
  const count = (...verdicts: string[]) => worst.filter((verdict) => verdicts.includes(verdict ?? "")).length;
  const parts: [number, string][] = [
    [count("fail", "unexpected-pass"), "broken"],
    [count("expected-fail"), "broken as listed"],
    [count("pass"), "kept"],
    [count("unsupported"), "not seen"],
    [count("not-applicable"), "not applicable"],
  ];
  const shown = parts.filter(([number], at) => number > 0 || at === 0).map(([number, what]) => `${number} ${what}`);
  return `requirements: ${shown.join(", ")} (${(duration_ms / 1000).toFixed(1)} s)`;
}
