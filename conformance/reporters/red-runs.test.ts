// Whoever reads only one file sees in it whether the run was red, whatever made it so.

import { describe, expect, it } from "vitest";
import { exitCodeOf } from "../kit/index.ts";
import type { Report } from "../kit/index.ts";
import { badgeReporter } from "./badge.ts";
import { ctrfReporter } from "./ctrf.ts";
import { githubReporter } from "./github.ts";
import { jsonReporter } from "./json.ts";
import { junitReporter } from "./junit.ts";
import { prettyReporter } from "./pretty.ts";
import { tapReporter } from "./tap.ts";
import { isRedTo } from "./testing/red.ts";
import { everyVerdict, reportOf, resultOf, written } from "./testing/sample.ts";

const pass = resultOf("pass", "x");
const kept = { requirement: "TOOL-9", verdict: "kept" } as const;
const broken = { requirement: "LOOP-4", verdict: "broken", message: "a tool was forgotten" } as const;
const brokenBeside = { ...pass, findings: [kept, broken] };
const knownBeside = { ...pass, findings: [kept, { ...broken, known: "Later." }] };
const problems = [{ file: "known.yaml", line: 3, message: "it passes" }];

const all = { prettyReporter, githubReporter, jsonReporter, junitReporter, tapReporter, ctrfReporter, badgeReporter };

it.each(Object.entries(all))(
  "%s names a requirement that is broken beside what its case tests, and says nowhere that nothing failed [REPORT-15]",
  (name, make) => {
    const text = written(make as typeof prettyReporter, reportOf([brokenBeside]));
    expect(text).not.toMatch(/none failed|nothing (is )?broken|none broken/);
    // A badge has no room but for the count.
    expect(text).toMatch(name === "badgeReporter" ? /1 of 2 kept/ : /LOOP-4/);
  },
);

const runs: [why: string, report: Report][] = [
  ["nothing was selected", reportOf([])],
  ...everyVerdict.map((verdict): [string, Report] => [`only ${verdict}`, reportOf([resultOf(verdict, "x")])]),
  ...everyVerdict.map((verdict): [string, Report] => [`pass and ${verdict}`, reportOf([pass, resultOf(verdict, "x")])]),
  ["a requirement is broken in a variant that passes", reportOf([brokenBeside])],
  ["a requirement is broken as listed in a variant that passes", reportOf([knownBeside])],
  ["a driver that never started", reportOf([resultOf("not-run", "x")], { start_error: "it exited" })],
  ["a file says what is not so", reportOf([pass], { problems })],
  ["a problem of no known line", reportOf([pass], { problems: [{ file: "agent-loop.json", message: "not kept" }] })],
];

describe.each(Object.entries(isRedTo))("a run told by %s", (_, isRed) => {
  it.each(runs)("is red exactly if its exit code is: %s [REPORT-7]", (_, report) => {
    expect(isRed(report)).toBe(exitCodeOf({ report }) !== 0);
  });
});

it("there are red and green runs among these", () => {
  const codes = new Set(runs.map(([, report]) => exitCodeOf({ report })));
  expect([...codes].sort()).toEqual([0, 1, 3]);
});

it("says why nothing was executed, and what was not run [REPORT-7]", () => {
  const text = written(tapReporter, reportOf([resultOf("unsupported", "x")]));
  expect(text).toMatch(/not ok 1 - something is executed\n[^]*the 1 variant that was selected is unsupported/);
  const missed = reportOf([pass, resultOf("not-run", "x"), { ...resultOf("not-run", "x"), variant: "generic" }]);
  expect(written(tapReporter, missed)).toMatch(
    /not ok 1 - what was selected is run\n[^]*2 variants were not run: because x/,
  );
});
