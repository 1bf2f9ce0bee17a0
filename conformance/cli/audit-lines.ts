// What `audit` prints for people: each recording in a line, every broken requirement with what happened, the worst first, and what is kept.

import colors from "picocolors";
import { exitCodeOf } from "../kit/index.ts";
import type { Report, Suite } from "../kit/index.ts";
import { counted } from "../kit/base/plural.ts";
import { shownPath } from "../kit/base/display-path.ts";
import { brokenDetails } from "../reporters/failure-details.ts";
import { brokenRequirements, levelTable, requirementWords } from "../reporters/requirements.ts";
import { visible } from "../reporters/visible.ts";
import type { JudgedFile } from "../traffic/read/audit-report.ts";
import { certificateLine, trafficCertificate } from "../traffic/read/certificate.ts";

/** The lines of a whole audit. */
export function* auditLines(
  report: Report,
  judged: readonly JudgedFile[],
  suite: Suite,
  color: boolean,
): Generator<string> {
  const paint = colors.createColors(color);
  for (const { file, requests, conversations } of judged)
    yield `${paint.bold(visible(shownPath(file)))}: ${counted(requests, "request")} in ${counted(conversations, "conversation")}`;
  for (const broken of brokenRequirements(report, suite)) {
    yield "";
    yield* brokenDetails(broken, suite, paint);
  }
  const notes = judged.flatMap(({ file, notes: own }) => own.map((note) => ({ file, ...note })));
  if (notes.length > 0) yield "";
  for (const { file, exchange, pointer, message, requirement } of notes)
    yield paint.dim(
      `note: ${visible(shownPath(file))}, exchange ${exchange}${pointer === "" ? "" : ` ${visible(pointer)}`}: ${visible(message)} (${requirement})`,
    );
  if (report.problems) yield "";
  for (const { file, line, message } of report.problems ?? [])
    yield `${paint.red(visible(`${file}:${line ?? 1}`))} ${visible(message)}`;
  yield "";
  yield* levelTable(report, suite.catalogue);
  yield "";
  yield certificateLine(trafficCertificate(report, suite.catalogue.requirements));
  const last = exitCodeOf({ report }) === 0 ? paint.green : paint.red;
  yield last([requirementWords(report), ...unmet(report)].join("; "));
}

function unmet({ problems = [] }: Report): string[] {
  return problems.length === 0 ? [] : [`${problems.length} not as expected`];
}
