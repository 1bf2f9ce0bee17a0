// Makes the report of a finished run of the kit.

import { readFileSync } from "node:fs";
import type { InitializeResult, Report, VariantResult } from "../../reference/types.ts";
import { specVersion } from "./driver-session.ts";
import { packagePath } from "./package-root.ts";
import type { Selected } from "./selection.ts";
import { countVerdicts } from "./verdicts.ts";

/**
 * Makes the report.
 * @param variants one result per selected variant, in the same order; failures gain the line to look at
 */
export async function makeReport(
  variants: VariantResult[],
  selected: readonly Selected[],
  about: { seed: number; handshake?: InitializeResult | undefined; duration_ms: number },
): Promise<Report> {
  await Promise.all(variants.map((result, index) => locate(result, selected[index]!)));
  return {
    report: 1,
    kit: (JSON.parse(readFileSync(packagePath("package.json"), "utf8")) as { version: string }).version,
    spec: specVersion,
    seed: about.seed,
    ...(about.handshake && { implementation: about.handshake }),
    totals: countVerdicts(variants),
    variants,
    duration_ms: about.duration_ms,
  };
}

/** Only failures have a line, because finding it means parsing the file again. */
async function locate(result: VariantResult, { entry }: Selected): Promise<void> {
  if (result.verdict !== "fail") return;
  const { lineOf } = await import("./case-file.ts");
  const path = result.failures?.find((failure) => failure.path?.startsWith("/expect/"))?.path ?? "/requires/0";
  result.line = lineOf(readFileSync(entry.file, "utf8"), path);
}
