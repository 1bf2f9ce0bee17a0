// Opens the reporters that a command line asks for, each with the terminal or a file to write to.

import { resolve } from "node:path";
import type { Report, Suite } from "../../kit/index.ts";
import { documents, reporters } from "../../reporters/all.ts";
import type { ReporterName } from "../../reporters/all.ts";
import type { Reporter, ReporterContext, ReportShape } from "../../reporters/reporter.ts";
import { fitted } from "./fitted.ts";
import { liveColumns, wantsColor } from "./terminal.ts";
import { UsageError } from "../../kit/base/usage-error.ts";
import { prepareFile, writeWhole } from "./write-file.ts";

/** A reporter and where it writes; without a file to the terminal. */
export interface Target {
  name: ReporterName;
  file?: string;
}

/**
 * Reads the values of `--reporter`; none means pretty.
 * @throws UsageError for an unknown name, a file named twice, or two reporters of which one spoils the other's output
 */
export function targetsOf(values: readonly string[] = ["pretty"]): Target[] {
  const targets = values.map(targetOf);
  const files = targets.flatMap(({ file }) => (file === undefined ? [] : [resolve(file)]));
  const twice = files.find((file, index) => files.indexOf(file) !== index);
  if (twice !== undefined) throw new UsageError(`two reporters write to ${twice}; give each a file of its own`);
  const shown = targets.filter(({ file }) => file === undefined).map(({ name }) => name);
  const document = shown.find((name) => documents.has(name));
  if (document !== undefined && shown.length > 1)
    throw new UsageError(
      `${shown.join(" and ")} all write to the terminal, where ${document} could not be read any more; give it a file: --reporter ${document}=<file>`,
    );
  return targets;
}

function targetOf(text: string): Target {
  const [name = "", ...rest] = text.split("=");
  const file = rest.join("=");
  if (!Object.hasOwn(reporters, name))
    throw new UsageError(`--reporter ${text} is not known; known: ${Object.keys(reporters).join(", ")}`);
  if (rest.length === 0) return { name: name as ReporterName };
  if (file === "") throw new UsageError(`--reporter ${text} names no file after =`);
  return { name: name as ReporterName, file };
}

/** Opens the reporters. Files are written when the report has ended, and only then. */
export async function openReporters(
  targets: readonly Target[],
  suite: Suite,
  shape: ReportShape = {},
): Promise<Reporter> {
  for (const { file } of targets) if (file !== undefined) prepareFile(file);
  const context = { ...contextOf(suite), ...shape };
  const opened = await Promise.all(
    targets.map(({ name, file }) => (file === undefined ? toTerminal(name, context) : toFile(name, file, context))),
  );
  return {
    start: (header) => opened.forEach((reporter) => reporter.start?.(header)),
    begin: (begun) => opened.forEach((reporter) => reporter.begin?.(begun)),
    result: (result) => opened.forEach((reporter) => reporter.result?.(result)),
    end: (report) => endEach(opened, report),
  };
}

/** Whole lines as they fit into the terminal; what is rewritten in place is not touched. */
function fittedLines(text: string): string {
  if (!text.endsWith("\n")) return text;
  return text
    .split("\n")
    .flatMap((line) => fitted([line], process.stdout.columns))
    .join("\n");
}

/** One that cannot write does not keep the others from it. */
function endEach(opened: readonly Reporter[], report: Report): void {
  const errors = opened.flatMap((reporter) => {
    try {
      reporter.end(report);
      return [];
    } catch (error) {
      return [error];
    }
  });
  if (errors.length > 0) throw errors[0];
}

type Looked = Pick<ReporterContext, "suite" | "summaryFile"> & ReportShape;

async function toTerminal(name: ReporterName, context: Looked): Promise<Reporter> {
  const columns = liveColumns(process.stdout, process.env);
  let last = "\n";
  const reporter = await reporters[name]({
    ...context,
    write: (text) => process.stdout.write((last = name === "pretty" ? fittedLines(text) : text)),
    color: wantsColor(process.stdout, process.env),
    ...(columns !== undefined && { liveColumns: columns }),
  });
  // Who ends a run in the middle finds the prompt on a line of its own.
  const leave = () => void (last.endsWith("\n") || process.stdout.write("\n"));
  process.once("exit", leave);
  return {
    ...reporter,
    end(report) {
      reporter.end(report);
      process.off("exit", leave);
    },
  };
}

async function toFile(name: ReporterName, file: string, context: Looked): Promise<Reporter> {
  let written = "";
  const write = (text: string) => void (written += text);
  const reporter = await reporters[name]({ ...context, write, color: false });
  return {
    ...reporter,
    end(report) {
      reporter.end(report);
      writeWhole(file, written);
    },
  };
}

function contextOf(suite: Suite): Pick<ReporterContext, "suite" | "summaryFile"> {
  const { GITHUB_STEP_SUMMARY: summaryFile = "" } = process.env;
  return { suite, ...(summaryFile !== "" && { summaryFile }) };
}
