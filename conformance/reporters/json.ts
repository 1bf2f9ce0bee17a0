// Writes the report as JSON, one document per line and driver, valid against report.schema.json.

import type { Reporter, ReporterContext } from "./reporter.ts";

export function jsonReporter({ write }: Pick<ReporterContext, "write">): Reporter {
  return {
    start: () => undefined,
    result: () => undefined,
    end: ({ report }) => write(`${JSON.stringify(report)}\n`),
  };
}
