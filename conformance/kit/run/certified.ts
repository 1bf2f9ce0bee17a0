// Says in one line for which profiles a whole run certifies the implementation.

import { coverageOf } from "./coverage.ts";
import type { Suite } from "../suite/types.ts";
import type { Report } from "./make-report.ts";

/** The line: what is certified, and what the implementation keeps but for known failures. */
export async function certifiedLine(report: Report, suite: Suite): Promise<string> {
  const { profiles, suite_version } = await coverageOf(report, suite);
  const certified = profiles.filter((profile) => profile.certified).map(({ profile }) => profile);
  const almost = profiles
    .filter(({ known_failures, missing }) => known_failures > 0 && known_failures === missing.length)
    .map(({ profile, known_failures }) => `${profile} (${known_failures})`);
  const but = almost.length === 0 ? "" : `; but for known failures: ${almost.join(", ")}`;
  return `certified for suite ${suite_version}: ${certified.join(", ") || "no profile"}${but}`;
}
