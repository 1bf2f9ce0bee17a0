// Writes JUnit's XML as CI servers read it: a suite for each area or stage, a test case for each variant.

import type { Report, VariantResult } from "../kit/index.ts";
import { plainDetails } from "./failure-details.ts";
import { observedLine } from "./observed.ts";
import { areaOf, besideVariants, caseOf, outcomes, whyOf } from "./outcome.ts";
import type { Beside, Outcome } from "./outcome.ts";
import { requirementWords } from "./requirements.ts";
import type { Reporter, ReporterContext } from "./reporter.ts";
import { firstLine, visible } from "./visible.ts";

type Context = Pick<ReporterContext, "write" | "suite" | "groupOf">;
type Attributes = Record<string, string | number | undefined>;

/**
 * There is no standard; these are the elements and attributes that readers have in common.
 * @see https://github.com/testmoapp/junitxml
 */
export function junitReporter({ write, suite, groupOf = ({ case: id }) => areaOf(id) }: Context): Reporter {
  return { end: (report) => write(document(report, suite, groupOf)) };
}

function document(report: Report, suite: Context["suite"], groupOf: Required<Context>["groupOf"]): string {
  const { variants, duration_ms, started_at: timestamp } = report;
  const areas = [...Map.groupBy(variants, groupOf)].map(([area, results]) => {
    const attributes = { name: area, ...counts(results), time: seconds(sum(results)), timestamp };
    return element("testsuite", attributes, [properties(report), ...results.map((result) => testCase(result, suite))]);
  });
  const others = besideVariants(report, suite);
  const beside = others.length === 0 ? [] : [besideSuite(others, timestamp)];
  const total = counts(variants, others);
  const attributes = { name: `agent-loop ${report.driver}`, ...total, time: seconds(duration_ms), timestamp };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", attributes, [...beside, ...areas])}\n`;
}

/** Of a driver that never starts every variant is skipped; this is what makes the whole red. */
function besideSuite(others: readonly Beside[], timestamp: string): string {
  const tests = others.map(({ name, message, file, line, isError }) => {
    const what = element(isError ? "error" : "failure", { message: firstLine(message), type: "run" }, [], message);
    return element("testcase", { name, classname: "run", time: 0, file, line }, [what]);
  });
  return element("testsuite", { name: "run", ...counts([], others), time: 0, timestamp }, tests);
}

/** A skipped test is easily overlooked: how many were left out, or are known to fail, stands here as well. */
function properties(report: Report): string {
  const { driver, implementation, kit, spec, seed, shard, profiles, totals } = report;
  const { name, version, language } = implementation?.implementation ?? {};
  const values = {
    ...{ driver, implementation: name, version, language, kit, spec, seed },
    profiles: profiles?.join(" "),
    features: implementation && (implementation.features?.join(" ") ?? "none"),
    requirements: requirementWords(report),
    observed: observedLine(report)?.replace("observed: ", ""),
    unsupported: totals.unsupported,
    known_to_fail: totals["expected-fail"],
    shard: shard && `${shard.index}/${shard.count}`,
    one_at_a_time: report.one_at_a_time && "yes",
  };
  const known = Object.entries(values).filter(([, value]) => value !== undefined);
  const list = known.map(([key, value]) => element("property", { name: key, value }));
  return element("properties", {}, list);
}

function testCase(result: VariantResult, suite: Context["suite"]): string {
  const { file } = caseOf(result.case, suite);
  const attributes = {
    name: `${result.check} ${result.variant}`,
    classname: result.case.replaceAll("/", "."),
    time: seconds(result.duration_ms),
    file,
    line: file === undefined ? undefined : (result.line ?? 1),
  };
  return element("testcase", attributes, outcomeElement(result, suite));
}

function outcomeElement(result: VariantResult, suite: Context["suite"]): string[] {
  const message = whyOf(result);
  const type = result.failures?.[0]?.code ?? result.verdict;
  const written: Record<Outcome, () => string[]> = {
    passed: () => [],
    skipped: () => [element("skipped", { message })],
    known: () => [element("skipped", { message })],
    failed: () => [element("failure", { message, type }, [], plainDetails(result, suite))],
    error: () => [element("error", { message, type }, [], plainDetails(result, suite))],
  };
  return written[outcomes[result.verdict]]();
}

function counts(results: readonly VariantResult[], others: readonly Beside[] = []): Attributes {
  const errors = others.filter(({ isError }) => isError).length;
  const count = (...wanted: Outcome[]) => results.filter(({ verdict }) => wanted.includes(outcomes[verdict])).length;
  return {
    tests: results.length + others.length,
    failures: count("failed") + others.length - errors,
    errors: count("error") + errors,
    skipped: count("skipped", "known"),
  };
}

function element(name: string, attributes: Attributes, children: readonly string[] = [], text = ""): string {
  const written = Object.entries(attributes).filter(([, value]) => value !== undefined);
  const start = [
    name,
    ...written.map(([key, value]) => `${key}="${escaped(String(value)).replaceAll("\n", "&#10;")}"`),
  ];
  if (children.length === 0 && text === "") return `<${start.join(" ")}/>`;
  const inner = children.length > 0 ? `\n${children.join("\n")}\n` : escaped(text);
  return `<${start.join(" ")}>${inner}</${name}>`;
}

/** XML has no way at all to write most control characters, so they are shown. */
function escaped(text: string): string {
  return visible(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\t", "&#9;");
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function sum(results: readonly VariantResult[]): number {
  return results.reduce((total, { duration_ms }) => total + duration_ms, 0);
}
