// Makes of the findings of a probe a report as the kit's own: one line for each scenario and requirement.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Case, Failure, Finding, RequirementVerdict, VariantResult, Verdict } from "../../schemas/types.ts";
import { redact } from "../kit/base/redact.ts";
import { specVersion } from "../kit/base/protocol.ts";
import { packagePath } from "../kit/base/package-root.ts";
import { makeFooter } from "../kit/run/make-report.ts";
import type { Report, RunEnd } from "../kit/run/make-report.ts";
import { readCatalogue } from "../kit/suite/catalogue.ts";
import type { Suite } from "../kit/suite/types.ts";
import { markOf } from "../traffic/fixture/redaction.ts";
import { secretsOf } from "../traffic/fixture/secret-names.ts";
import type { ScenarioRun } from "./play-scenario.ts";
import type { NamedScenario } from "./scenario-files.ts";

/** A scenario that was played, and what it showed. */
export interface JudgedScenario extends NamedScenario {
  run: ScenarioRun;
  findings: Finding[];
}

/** @see PROBE-6 */
const verdicts: Record<RequirementVerdict, Verdict> = {
  kept: "pass",
  broken: "fail",
  not_seen: "unsupported",
  not_applicable: "not-applicable",
  not_expressible: "not-applicable",
};

/** The lines of a scenario. */
export function resultsOf({ name, run, findings }: JudgedScenario, program: string, repro: string): VariantResult[] {
  return findings.map((finding) => {
    const { requirement, verdict, reason } = finding;
    const isBroken = verdict === "broken";
    const because = verdict === "not_seen" ? `not seen: ${reason}` : reason;
    return {
      check: `${name}#${requirement}`,
      case: name,
      requirement,
      variant: program,
      verdict: verdicts[verdict],
      ...(because !== undefined && { reason: because }),
      ...(isBroken && { failures: [failureOf(finding)], exchanges: run.requests.map(wireOf), repro }),
      duration_ms: run.durationMs / findings.length,
    };
  });
}

/** The report of everything that was played. */
export function reportOf(program: string, results: readonly VariantResult[], end: RunEnd & { began: Date }): Report {
  const digest = createHash("sha256").update(results.map(({ check }) => check).join("\n"));
  return {
    report: 1,
    kit: (JSON.parse(readFileSync(packagePath("package.json"), "utf8")) as { version: string }).version,
    spec: specVersion,
    driver: program,
    suite: digest.digest("hex").slice(0, 16),
    selected: results.length,
    started_at: end.began.toISOString(),
    variants: [...results],
    ...makeFooter(results, end),
  };
}

/**
 * A report without what looks like a secret, and without the secrets that the program was given: it may say them to the model.
 * @see RECORD-3 REPORT-5
 */
export function withoutSecretsOf(environment: Readonly<Record<string, string>>, report: Report): Report {
  const text = [...secretsOf(environment)].reduce(
    (left, [name, value]) => left.replaceAll(JSON.stringify(value).slice(1, -1), markOf(`the value of ${name}`)),
    JSON.stringify(redact(report)),
  );
  return JSON.parse(text) as Report;
}

/** The scenarios as reporters look cases up: their titles and files. */
export function suiteOf(scenarios: readonly NamedScenario[]): Suite {
  const cases = scenarios.map(({ name, file, scenario: { title, expect } }) => ({
    id: name,
    file,
    case: { title, requires: expect.map(({ requirement }) => requirement), model: [], expect: {} } as unknown as Case,
  }));
  return { cases, catalogue: readCatalogue(packagePath()), bugs: {} };
}

function failureOf({ requirement, message = "", severity, exchange, path, expected, received }: Finding): Failure {
  const where = exchange === undefined ? "" : `, model request ${exchange}`;
  return {
    code: "assertion",
    requirement,
    message: `${message} (${severity}${where})`,
    ...(path !== undefined && { path }),
    ...(expected !== undefined && { expected }),
    ...(received !== undefined && { received }),
  };
}

function wireOf({ seen: { exchange } }: ScenarioRun["requests"][number]): { request: unknown; response: unknown } {
  return { request: exchange.request, response: exchange.response };
}
