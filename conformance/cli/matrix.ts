// The command `matrix`: measures loops of others, writes down what was seen, and makes a page and reports of it.

import { existsSync } from "node:fs";
import { constants } from "node:os";
import { resolve } from "node:path";
import { commandLine } from "../kit/base/cli-name.ts";
import { loadSuite } from "../kit/index.ts";
import type { Suite } from "../kit/index.ts";
import { counted } from "../kit/base/plural.ts";
import { packagePath } from "../kit/base/package-root.ts";
import { select } from "../kit/suite/selection.ts";
import { UsageError } from "../kit/base/usage-error.ts";
import { beforeEnding } from "../kit/driver/process-group.ts";
import { cacheFolder } from "../matrix/install.ts";
import { findBreach, issueText } from "../matrix/issue.ts";
import { readMatrix, withRow, writeMatrix } from "../matrix/matrix-file.ts";
import { fingerprintOf, measure } from "../matrix/measure.ts";
import { matrixPage } from "../matrix/page.ts";
import { chosenSources, sources } from "../matrix/rows.ts";
import type { Source } from "../matrix/rows.ts";
import { isRed, rowLines } from "../matrix/summary.ts";
import { named, readScenarios } from "../probe/scenario-files.ts";
import type { Matrix } from "../../schemas/types.ts";
import { checkWritable, prepareFolder, writeWhole } from "./shared/write-file.ts";

/** What the command line gives. */
export interface MatrixOptions {
  only?: string[];
  case?: string[];
  latest?: boolean;
  resume?: boolean;
  list?: boolean;
  out: string;
  page?: string | true;
  cache?: string;
  installed?: string[];
  jobs: number;
  timeout: number;
  seed: number;
}

/** The data that comes with the package. */
const shipped = () => packagePath("conformance/matrix/matrix.json");

/** Measures what is chosen. Exit code: as `test`, of the worst row. */
export async function matrix(options: MatrixOptions): Promise<void> {
  const chosen = chosenSources(sources(), options.only);
  if (options.list) return chosen.forEach(({ about }) => console.log(`${about.id}  ${about.title}`));
  const isPageAlone = options.page !== undefined && options.only === undefined;
  if (options.page !== undefined) checkWritable(pageOf(options.page));
  if (!isPageAlone) await measureAll(chosen, options);
  if (options.page !== undefined) writePage(options);
}

async function measureAll(chosen: readonly Source[], options: MatrixOptions): Promise<void> {
  const suite = await loadSuite();
  checkOptions(options, suite);
  let data = beginning(options.out);
  const ending = new AbortController();
  const forget = beforeEnding((signal) => {
    process.exitCode = 128 + constants.signals[signal];
    ending.abort(signal);
  });
  let isAnyRed = false;
  let done = 0;
  for (const [index, source] of chosen.entries()) {
    if (ending.signal.aborted) break;
    const { id } = source.about;
    const place = `[${index + 1}/${chosen.length}] ${id}`;
    const known = data.rows.find((row) => row.id === id);
    if (options.resume && known?.cells !== undefined && known.fingerprint === fingerprintOf(source)) {
      console.error(`${place}: as it was measured ${known.measured_at.slice(0, 10)}`);
      isAnyRed ||= isRed(known);
      continue;
    }
    const installed = options.installed?.find((folder) => existsSync(resolve(folder, id.split("/")[1]!)));
    done = index;
    const row = await measure(source, {
      suite,
      commandLine: [process.execPath, packagePath("conformance/cli/bin.js")],
      cache: options.cache === undefined ? cacheFolder() : resolve(options.cache),
      ...(installed !== undefined && { installed: resolve(installed) }),
      ...(options.latest && { latest: true }),
      ...(options.case && { cases: options.case }),
      ...{ seed: options.seed, jobs: options.jobs, timeoutMs: options.timeout, signal: ending.signal },
      onStep: (step) => console.error(`${place}: ${step}`),
    });
    // A row that was broken off halfway says nothing.
    if (ending.signal.aborted) break;
    // A part of the cases is for a look: as a row of the data it would say that the others were not seen.
    if (options.case !== undefined) {
      isAnyRed ||= isRed(row);
      for (const line of rowLines(row, withRow(data, row, suite))) console.log(line);
      continue;
    }
    data = withRow(data, row, suite);
    writeMatrix(options.out, data);
    isAnyRed ||= isRed(row);
    const after = row.unavailable === undefined ? data.rows.find((one) => one.id === id)! : row;
    for (const line of rowLines(after, data)) console.log(line);
  }
  forget();
  if (ending.signal.aborted)
    return console.error(`interrupted after ${done} of ${counted(chosen.length, "row")}; what was measured is kept`);
  console.error(`${options.out}: ${data.rows.length} rows`);
  if (!process.exitCode && isAnyRed) process.exitCode = 1;
}

/** @throws UsageError for what would be found out only when a row is installed or was measured */
function checkOptions({ out, cache, installed, case: cases }: MatrixOptions, suite: Suite): void {
  checkWritable(out);
  if (cache !== undefined) prepareFolder("--cache", cache);
  const missing = installed?.find((folder) => !existsSync(folder));
  if (missing !== undefined)
    throw new UsageError(
      `--installed ${missing} is not there; name a folder that has <name>/node_modules, .venv or target`,
    );
  const odd = cases?.find((one) => !isAnyName(one, suite));
  if (odd !== undefined)
    throw new UsageError(
      `--case ${odd} fits no case and no scenario; see them with: ${commandLine} list cases, ${commandLine} probe --list`,
    );
}

function isAnyName(pattern: string, { cases }: Suite): boolean {
  return select(cases, { cases: [pattern] }).length > 0 || named(readScenarios(), [pattern]).length > 0;
}

/** The data of the file; at the first time that of the package, so that what changed can be named. */
function beginning(out: string): Matrix {
  return readMatrix(existsSync(out) ? out : shipped());
}

function writePage({ out, page }: MatrixOptions): void {
  const from = existsSync(out) ? out : shipped();
  const data = readMatrix(from);
  if (data.rows.length === 0)
    throw new UsageError(`${out} has no rows yet; measure some with: ${commandLine} matrix --only <name>`);
  const to = pageOf(page!);
  writeWhole(to, matrixPage(data));
  console.error(`${to}: ${data.rows.length} rows of ${from}`);
}

function pageOf(page: string | true): string {
  return page === true ? "matrix.html" : page;
}

/** Prints the report of a breach. */
export function matrixIssue(finding: string, { out }: Pick<MatrixOptions, "out">): void {
  process.stdout.write(issueText(findBreach(beginning(out), finding)));
}
