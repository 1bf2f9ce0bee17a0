// Makes of what recordings show a report as the kit's own: one line for each recording and requirement.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type {
  Case,
  Exchange,
  Failure,
  Fixture,
  ReportProblem,
  RequirementLevel,
  RequirementVerdict,
  VariantResult,
  Verdict,
  WireExchange,
} from "../../../schemas/types.ts";
import { commandLine } from "../../kit/base/cli-name.ts";
import { shownPath } from "../../kit/base/display-path.ts";
import { packagePath } from "../../kit/base/package-root.ts";
import { specVersion } from "../../kit/base/protocol.ts";
import { redact } from "../../kit/base/redact.ts";
import { quoteWord } from "../../kit/driver/quote-word.ts";
import { makeFooter } from "../../kit/run/make-report.ts";
import type { Report } from "../../kit/run/make-report.ts";
import { readCatalogue } from "../../kit/suite/catalogue.ts";
import type { Suite } from "../../kit/suite/types.ts";
import type { Finding as Found } from "./finding.ts";
import type { JudgedTraffic } from "./judge-traffic.ts";

/** A recording that was judged. */
export interface JudgedFile extends JudgedTraffic {
  file: string;
  fixture: Pick<Fixture, "exchanges">;
}

/** What is known of an audit beside what the recordings show. */
export interface AuditEnd {
  began: Date;
  duration_ms: number;
  level?: RequirementLevel | undefined;
  problems: ReportProblem[];
}

/** What stands where a driver's variants have a seam. */
export const trafficVariant = "traffic";

const verdicts: Record<RequirementVerdict, Verdict> = {
  kept: "pass",
  broken: "fail",
  not_seen: "unsupported",
  not_applicable: "not-applicable",
  not_expressible: "not-applicable",
};

/** The report of an audit. */
export function auditReport(judged: readonly JudgedFile[], { began, level, ...end }: AuditEnd): Report {
  const variants = judged.flatMap(resultsOf);
  const digest = createHash("sha256").update(variants.map(({ check }) => check).join("\n"));
  const report: Report = {
    report: 1,
    kit: (JSON.parse(readFileSync(packagePath("package.json"), "utf8")) as { version: string }).version,
    spec: specVersion,
    driver: judged.map(({ file }) => shownPath(file)).join(" "),
    suite: digest.digest("hex").slice(0, 16),
    selected: variants.length,
    ...(level && { level }),
    started_at: began.toISOString(),
    variants,
    ...makeFooter(variants, { ...end, startError: undefined }),
  };
  return redact(report);
}

/** The recordings as reporters look cases up: by their names and files. */
export function auditSuite(files: readonly string[]): Suite {
  const cases = files.map((file) => ({
    id: nameOf(file),
    file,
    case: { title: "What a program asked of its models", requires: [], model: [], expect: {} } as unknown as Case,
  }));
  return { cases, catalogue: readCatalogue(packagePath()), bugs: {} };
}

/** What a recording is called in a report. */
export function nameOf(file: string): string {
  return shownPath(file).replace(/\.json$/, "");
}

/** Breaches of one requirement in one recording that a report has. */
const maxFailures = 12;

function resultsOf({ file, fixture: { exchanges }, findings, breaches }: JudgedFile): VariantResult[] {
  const name = nameOf(file);
  return findings.map((finding) => {
    const { requirement, verdict, reason } = finding;
    return {
      check: `${name}#${requirement}`,
      case: name,
      requirement,
      variant: trafficVariant,
      verdict: verdicts[verdict],
      ...(reason !== undefined && { reason: verdict === "not_seen" ? `not seen: ${reason}` : reason }),
      findings: [finding],
      ...(verdict === "broken" && {
        failures: breaches
          .filter((one) => one.requirement === requirement)
          .slice(0, maxFailures)
          .map(failureOf),
        exchanges: shownExchanges(exchanges, finding.exchange),
        repro: `${commandLine} audit ${quoteWord(shownPath(file))}`,
      }),
      duration_ms: 0,
    };
  });
}

function failureOf({ requirement, rule, message, exchange, pointer }: Found): Failure {
  const where = `model request ${exchange}${pointer === "" ? "" : ` ${pointer}`}`;
  const code = rule === undefined ? "invariant" : "provider_rule";
  return { code, requirement, message: `${message} (${where}${rule === undefined ? "" : `, ${rule}`})` };
}

/** The exchange that shows it, and the one before; of the others only that they were there. */
function shownExchanges(exchanges: readonly Exchange[], number = 1): WireExchange[] {
  return exchanges.slice(0, number).map(({ request, response }, at) => {
    if (at < number - 2) return { request: "as recorded" };
    const { status, headers, body, text, events } = response;
    const shown = body === undefined ? (text ?? JSON.stringify(events ?? "")) : JSON.stringify(body);
    return { request: request ?? "not recorded", response: { status, headers: headers ?? {}, text: shown } };
  });
}
