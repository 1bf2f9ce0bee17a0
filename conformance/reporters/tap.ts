// Writes TAP 14: a test point for each variant, with what a failure needs as YAML below it.

import type { Report, VariantResult } from "../kit/index.ts";
import { plainDetails } from "./failure-details.ts";
import { observedLine } from "./observed.ts";
import { besideVariants, caseOf, outcomes, whyOf } from "./outcome.ts";
import type { Reporter, ReporterContext } from "./reporter.ts";
import { firstLine, visible } from "./visible.ts";

type Context = Pick<ReporterContext, "write" | "suite">;

/** @see https://testanything.org/tap-version-14-specification.html */
export function tapReporter({ write, suite }: Context): Reporter {
  return {
    end(report) {
      for (const line of lines(report, suite)) write(`${line}\n`);
    },
  };
}

function* lines(report: Report, suite: Context["suite"]): Generator<string> {
  const { variants, driver, spec, kit } = report;
  const others = besideVariants(report, suite);
  const count = variants.length + others.length;
  yield "TAP version 14";
  yield `# ${firstLine(driver)}, spec ${spec}, kit ${kit}`;
  yield `1..${count}`;
  for (const [index, { name, message }] of others.entries()) {
    yield `not ok ${index + 1} - ${escaped(visible(name))}`;
    yield* ["  ---", `  message: ${quoted(visible(message))}`, "  severity: fail", "  ..."];
  }
  for (const [index, result] of variants.entries()) {
    yield testPoint(others.length + index + 1, result);
    if (result.failures !== undefined || outcomes[result.verdict] === "error") yield* diagnostics(result, suite);
  }
  const observed = observedLine(report);
  if (observed !== undefined) yield `# ${firstLine(observed)}`;
}

/** A directive makes a test point no failure, so only what is no failure of the implementation has one. */
function testPoint(number: number, result: VariantResult): string {
  const point = `${number} - ${escaped(`${result.check} ${result.variant}`)}`;
  const why = escaped(whyOf(result));
  switch (outcomes[result.verdict]) {
    case "passed":
      return `ok ${point}`;
    case "skipped":
      return `ok ${point} # SKIP ${why}`;
    case "known":
      return `not ok ${point} # TODO ${why}`;
    default:
      return `not ok ${point}`;
  }
}

function* diagnostics(result: VariantResult, suite: Context["suite"]): Generator<string> {
  const { file } = caseOf(result.case, suite);
  yield "  ---";
  yield `  message: ${quoted(whyOf(result))}`;
  yield `  severity: ${outcomes[result.verdict] === "known" ? "todo" : "fail"}`;
  yield `  verdict: ${result.verdict}`;
  if (file !== undefined) {
    yield "  at:";
    yield `    file: ${quoted(file)}`;
    yield `    line: ${result.line ?? 1}`;
  }
  yield "  details: |";
  // Some readers take an empty line for the end of the text.
  for (const line of plainDetails(result, suite).split("\n")) yield `    ${line}`;
  yield "  ...";
}

/** A string of JSON is one of YAML; what neither may hold, `visible` has already shown. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/** A `#` begins a directive. */
function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("#", "\\#").replaceAll("\n", " ");
}
