// Runs the drivers of the zoo, and checks the kit's verdict on each against zoo.yaml.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { parse } from "yaml";
import type { FailureCode, Manifest, VariantResult } from "../../../schemas/types.ts";
import { readReport, reportLines } from "../run/report-file.ts";
import { runSuite } from "../run/runner.ts";
import type { RunSuiteOptions, SuiteRun } from "../run/types.ts";
import type { Suite } from "../suite/types.ts";
import { loadSuite } from "../suite/suite.ts";
import { exitCodeOf } from "../run/verdicts.ts";

/** One driver of the zoo; zoo.yaml explains the fields. */
export interface BadDriver {
  then:
    | "passes"
    | "culprit fails"
    | "finding"
    | "finding at the end"
    | "beside others"
    | "all fail"
    | "never starts"
    | "unsupported";
  code?: FailureCode;
  says?: string;
  once?: string;
  cases?: string[];
  manifest?: Partial<Manifest>;
  timeoutMs?: number;
  startTimeoutMs?: number;
  fast?: boolean;
}

const folder = fileURLToPath(new URL(".", import.meta.url));

/** Every driver of the zoo by what it does. */
export const zoo = parse(readFileSync(`${folder}zoo.yaml`, "utf8")) as Record<string, BadDriver>;

/** The names of those that `npm run check` meets, and of the others. */
export const fast = Object.keys(zoo).filter((behaviour) => zoo[behaviour]!.fast);
export const others = Object.keys(zoo).filter((behaviour) => !zoo[behaviour]!.fast);

let small: Promise<Suite> | undefined;

/** A suite of a few harmless cases, a culprit, and what some drivers of the zoo need. It is loaded once: nobody changes it. */
export async function smallSuite(): Promise<Suite> {
  return await (small ??= loadSuite({ cases: `${folder}cases`, cache: null }));
}

let count = 0;

/** Runs the suite of the tests against a bad driver, and checks what holds whatever the driver does. */
export async function runAgainst(
  behaviour: string,
  options: Partial<RunSuiteOptions> = {},
  manifest?: Partial<Manifest>,
): Promise<SuiteRun> {
  const token = `fake-${process.pid}-${++count}`;
  const argv: [string, ...string[]] = ["node", `${folder}fake-driver.ts`, behaviour, token];
  const reported: string[] = [];
  const run = await runSuite({
    driver: { name: behaviour, argument: behaviour, command: { argv }, ...(manifest && { manifest }) },
    suite: await smallSuite(),
    select: { cases: ["text-", "culprit"] },
    seed: 1,
    // Only a driver that hangs is waited for so long, and that says beside it how long; under load a run may take many seconds.
    timeoutMs: 120_000,
    onResult: ({ check, variant, verdict }) => reported.push(`${check} ${variant} ${verdict}`),
    ...options,
  });
  expect(processesWith(token), "processes that are left").toEqual([]);
  expect(reported, "published verdicts").toEqual([...new Set(reported)]);
  const { selected, ...verdicts } = run.report.totals;
  expect(readReport(reportLines(run.report), "the report")).toEqual(JSON.parse(JSON.stringify(run.report)));
  expect(Object.values(verdicts).reduce((sum, number) => sum + number, 0)).toBe(selected);
  return run;
}

/** Runs one driver of the zoo, and expects what stands beside it. */
export async function meet(behaviour: string): Promise<void> {
  const { cases, manifest, timeoutMs, startTimeoutMs, ...expected } = zoo[behaviour]!;
  const times = {
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(startTimeoutMs !== undefined && { startTimeoutMs }),
  };
  const run = await runAgainst(behaviour, { ...(cases && { select: { cases } }), ...times }, manifest);
  const { variants } = run.report;
  const says = new RegExp(expected.says ?? "");
  const failed = variants.filter(({ failures }) => failures !== undefined);
  for (const { failures } of failed) {
    expect(failures?.[0]).toMatchObject({ code: expected.code, message: expect.stringMatching(says) as unknown });
  }
  if (expected.once !== undefined)
    expect(failed.map(({ failures }) => failures?.[0]?.message).join("\n")).toMatch(new RegExp(expected.once));
  switch (expected.then) {
    case "passes":
      expect(verdictsOf(variants)).toEqual(new Set(["pass"]));
      return expect(exitCodeOf(run)).toBe(0);
    case "culprit fails":
      expect(failed.map((result) => result.case)).toEqual([variants.at(0)?.case]);
      expect(run.report.totals).toMatchObject({ pass: variants.length - 1, fail: 1 });
      return expect(exitCodeOf(run)).toBe(1);
    case "finding":
      // It breaks nothing that a case tests, and is red all the same.
      expect(failed.map((result) => result.case)).toEqual([variants.at(0)?.case]);
      expect(verdictsOf(variants)).toEqual(new Set(["pass"]));
      expect(run.report.requirements?.broken).toBe(1);
      return expect(exitCodeOf(run)).toBe(1);
    case "finding at the end":
      expect(failed.flatMap(({ failures }) => failures?.map(({ requirement }) => requirement))).toHaveLength(1);
      expect(verdictsOf(variants)).toEqual(new Set(["pass"]));
      expect(run.report.requirements?.broken).toBe(1);
      return expect(exitCodeOf(run)).toBe(1);
    case "beside others":
      expect(failed).not.toEqual([]);
      expect(failed.flatMap(({ failures }) => failures?.map(({ requirement }) => requirement))).toEqual(
        failed.map(() => "DRIVER-27"),
      );
      expect(verdictsOf(variants)).toEqual(new Set(["pass"]));
      expect(run.report.requirements?.broken).toBe(1);
      return expect(exitCodeOf(run)).toBe(1);
    case "all fail":
      expect(verdictsOf(variants)).toEqual(new Set(["fail"]));
      return expect(exitCodeOf(run)).toBe(1);
    case "unsupported":
      expect(verdictsOf(variants)).toEqual(new Set(["unsupported"]));
      expect(variants[0]?.reason).toMatch(says);
      return expect(exitCodeOf(run)).toBe(1);
    case "never starts":
      expect(run.startError).toMatch(says);
      expect(verdictsOf(variants)).toEqual(new Set(["not-run"]));
      return expect(exitCodeOf(run)).toBe(3);
  }
}

function verdictsOf(variants: readonly VariantResult[]): Set<string> {
  return new Set(variants.map(({ verdict }) => verdict));
}

/** Command lines of living processes that carry the token: the driver, and what it started. */
function processesWith(token: string): string[] {
  if (!existsSync("/proc")) return [];
  return readdirSync("/proc").flatMap((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      return line.split("\0").includes(token) ? [line] : [];
    } catch {
      return [];
    }
  });
}
