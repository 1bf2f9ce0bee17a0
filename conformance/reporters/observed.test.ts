// What reports say of observed behaviours: each policy once, several choices as they were seen, and nothing red.

import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exitCodeOf } from "../kit/index.ts";
import { sharedSuite } from "../kit/testing/shared-suite.ts";
import type { Report, Suite } from "../kit/index.ts";
import { makeFooter } from "../kit/run/make-report.ts";
import { coverageOf } from "../kit/run/coverage.ts";
import { coverageLines } from "./coverage-lines.ts";
import { ctrfReporter } from "./ctrf.ts";
import { githubReporter } from "./github.ts";
import { reportData } from "./html/report-data.ts";
import { junitReporter } from "./junit.ts";
import { observedLine } from "./observed.ts";
import { prettyReporter } from "./pretty.ts";
import { tapReporter } from "./tap.ts";
import { reportOf, resultOf, sampleSuite, written } from "./testing/sample.ts";

/** Three variants, of which one shows something else than the others. */
function report(): Report {
  const choices = ["answered", "raised", "answered"];
  const variants = choices.map((choice, at) => ({
    ...resultOf("pass"),
    variant: `openai-chat/${at}`,
    observed: [
      { policy: "tool_exception", choice },
      { policy: "batch", choice: "serial" },
    ],
  }));
  const { observed } = makeFooter(variants, { duration_ms: 1, startError: undefined, problems: [] });
  return reportOf(variants, observed ? { observed } : {});
}

const words = "batch serial; tool_exception answered in 2, raised in 1";

describe("observed behaviours", () => {
  it("are counted in the footer, and several of one policy are nothing red [REPORT-16]", () => {
    expect(report().observed).toEqual([
      { policy: "batch", choices: { serial: 3 } },
      { policy: "tool_exception", choices: { answered: 2, raised: 1 } },
    ]);
    expect(exitCodeOf({ report: report() })).toBe(0);
  });
  it("are one line, and none where nothing was seen", () => {
    expect(observedLine(report())).toBe(`observed: ${words}`);
    expect(observedLine(reportOf([resultOf("pass")]))).toBeUndefined();
  });
  it("stand below the profiles of an implementation", async () => {
    const found = await coverageOf({ variants: report().variants }, await sharedSuite());
    expect([...coverageLines(found, [], 1)].at(-1)).toBe(`observed: ${words}`);
  });
  it.each([
    ["pretty", prettyReporter],
    ["tap", tapReporter],
    ["junit", junitReporter],
  ])("are in what %s writes [REPORT-16]", (_, make) => {
    expect(written(make, report())).toContain(words);
  });
  it("are a table in the summary of github, and data in ctrf", () => {
    const summaryFile = join(mkdtempSync(join(tmpdir(), "observed-")), "summary.md");
    written(githubReporter, report(), { summaryFile });
    expect(readFileSync(summaryFile, "utf8")).toContain("| tool\\_exception | answered in 2, raised in 1 |");
    expect(JSON.parse(written(ctrfReporter, report()))).toMatchObject({
      results: { summary: { extra: { observed: report().observed } } },
    });
  });
  it("stand on the page with their question", () => {
    const policy = { question: "Does it?", choices: {}, spec: "answered", requirement: "TOOL-14", seen: "so" };
    const suite: Suite = {
      ...sampleSuite,
      catalogue: { ...sampleSuite.catalogue, policies: new Map([["tool_exception", policy]]) },
    };
    expect(reportData(report(), suite).observed).toEqual([
      { policy: "batch", question: "", words: "serial", spec: "" },
      { policy: "tool_exception", question: "Does it?", words: "answered in 2, raised in 1", spec: "answered" },
    ]);
  });
});
