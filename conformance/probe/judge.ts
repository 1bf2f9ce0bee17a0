// Judges what was seen of one scenario: what its file expects, and what holds in every scenario.

import type { Finding, ProbeExpectation } from "../../schemas/types.ts";
import { dummyKey } from "../traffic/record/environment.ts";
import { auditFixture } from "../traffic/read/audit-fixture.ts";
import type { Finding as AuditFinding } from "../traffic/read/finding.ts";
import { checks, isPrinted } from "./checks.ts";
import type { Judged } from "./checks.ts";
import type { ScenarioRun } from "./play-scenario.ts";
import { severityOf } from "./severities.ts";

/**
 * What is known of each requirement that the scenario names, and of every other one that it shows to be broken.
 * @see PROBE-5 PROBE-6
 */
export async function judge(run: ScenarioRun): Promise<Finding[]> {
  const { scenario, notApplicable, requests } = run;
  const { expect } = scenario;
  if (notApplicable !== undefined)
    return named(expect).map(({ requirement }) => ({ requirement, verdict: "not_applicable", reason: notApplicable }));
  const audit = await auditOf(run);
  const judged = expect.map((expectation) =>
    findingOf(expectation, missed(run) ?? checks[expectation.check](run, expectation, audit), run),
  );
  const found = named(expect).map(({ requirement }) => worst(judged.filter((one) => one.requirement === requirement)));
  const others = [...audit.map(auditFinding), ...leaks(run), ...hangs(run)];
  const reported = new Set(found.filter(({ verdict }) => verdict === "broken").map(({ requirement }) => requirement));
  const more = others.filter(({ requirement }) => !reported.has(requirement));
  const byRequirement = [...Map.groupBy(more, ({ requirement }) => requirement).values()].map(([first]) => first!);
  const replaced = found.map((one) => byRequirement.find(({ requirement }) => requirement === one.requirement) ?? one);
  const unnamed = byRequirement.filter(({ requirement }) => !found.some((one) => one.requirement === requirement));
  return requests.length === 0 ? found : [...replaced, ...unnamed];
}

/** A scenario with an interrupt shows nothing of a program that ends before it. @see PROBE-5 */
function missed({ scenario, interrupted, requests }: ScenarioRun): Judged | undefined {
  if (!scenario.interrupt || interrupted || requests.length === 0) return undefined;
  return { verdict: "not_seen", reason: "the program ended before it was interrupted" };
}

/**
 * The traffic of the conversation, as the audit reads it: each request by itself and as the continuation of another. What is already so
 * in the first request, before the model has said anything, the program's own provider takes every day: it is no breach, and neither is
 * a field that the kit does not know, nor another order of results that all are there: providers find them by their ids.
 */
async function auditOf({ requests }: ScenarioRun): Promise<AuditFinding[]> {
  const exchanges = requests.map(({ seen }) => seen.exchange);
  const { findings } = await auditFixture({ fixture: 1, origin: "crafted", why: "a scenario of a probe", exchanges });
  const usual = new Set(findings.flatMap(({ exchange, rule }) => (exchange === 1 && rule !== undefined ? [rule] : [])));
  const isBreach = ({ requirement, rule = "" }: AuditFinding) =>
    requirement !== "SESSION-7" && !usual.has(rule) && !/\/unknown-[a-z-]*fields$/.test(rule);
  return findings.filter((finding) => finding.level === "broken" && isBreach(finding));
}

function auditFinding({ requirement, message, exchange, pointer }: AuditFinding): Finding {
  const severity = severityOf(requirement);
  return { requirement, verdict: "broken", severity, message, exchange, ...(pointer !== "" && { path: pointer }) };
}

/** One for each requirement, in the order of the scenario. */
function named(expect: readonly ProbeExpectation[]): ProbeExpectation[] {
  return expect.filter(({ requirement }, at) => expect.findIndex((one) => one.requirement === requirement) === at);
}

function findingOf({ requirement, severity, broken }: ProbeExpectation, judged: Judged, run: ScenarioRun): Finding {
  if (judged.verdict === "kept") return { requirement, verdict: "kept" };
  if (judged.verdict === "not_seen") return { requirement, verdict: "not_seen", reason: judged.reason };
  const { exchange, expected, received, tool } = judged;
  const message = broken.replaceAll("{tool}", tool ?? toolsOf(run));
  return {
    requirement,
    verdict: "broken",
    severity: severity ?? run.scenario.severity,
    message,
    ...(exchange !== undefined && { exchange }),
    ...(expected !== undefined && { expected }),
    ...(received !== undefined && { received }),
  };
}

function toolsOf({ requests }: ScenarioRun): string {
  const [call] = requests.flatMap(({ answer }) => answer.calls);
  return call?.tool ?? "the tool";
}

/** Of several judgements of one requirement: broken before kept, and kept before not seen. */
function worst(findings: readonly Finding[]): Finding {
  const [first] = ["broken", "kept", "not_seen"].flatMap(
    (verdict) => findings.find((one) => one.verdict === verdict) ?? [],
  );
  return first!;
}

/** What a program prints is its own word, and the key is in none of it. @see PROVIDER-27 */
function leaks(run: ScenarioRun): Finding[] {
  if (!isPrinted(run, dummyKey)) return [];
  const message = "The key of the provider was printed by the program.";
  return [{ requirement: "PROVIDER-27", verdict: "broken", severity: "leaks", message }];
}

/**
 * A program that waits for nothing and does not end. Who is still trying again is not accused: its patience is its own.
 * @see LOOP-27
 */
function hangs({ ends, requests, interrupted }: ScenarioRun): Finding[] {
  const end = ends.find(({ timedOut }) => timedOut);
  const last = requests.at(-1);
  if (!end || !last || interrupted) return [];
  const quietMs = performance.now() - (last.seen.exchange.at_ms ?? 0);
  if (quietMs < end.durationMs * 0.6) return [];
  const seconds = Math.round(end.durationMs / 1000);
  const message = `The program asked nothing any more and did not end: it was ended after ${seconds} s.`;
  return [{ requirement: "LOOP-27", verdict: "broken", severity: "misreports", message, exchange: requests.length }];
}
