// The data of the page has each text once, and no more details than a browser opens without a pause.

import { describe, expect, it } from "vitest";
import type { VariantResult } from "../../kit/index.ts";
import { hostileReport, reportOf, resultOf, sampleSuite } from "../testing/sample.ts";
import { reportData } from "./report-data.ts";
import { sideBySide } from "./side-by-side.ts";

describe("reportData", () => {
  it("groups the variants of a check, and looks up what the suite knows", () => {
    const data = reportData(reportOf([resultOf("pass", "x"), resultOf("fail", "x")]), sampleSuite);
    expect(data.checks).toMatchObject([
      { id: "area/one#TOOL-9", area: "area", title: "One is answered", file: "conformance/cases/area/one.yaml" },
    ]);
    expect(data.checks[0]!.results.map(({ verdict }) => verdict)).toEqual(["pass", "fail"]);
    expect(data.requirements).toEqual({ "TOOL-9": { text: "The loop MUST answer.", at: "spec/loop/tools.md:36" } });
  });
  it("shows a report of another suite by its ids", () => {
    const stranger: VariantResult = {
      ...resultOf("fail", "x"),
      check: "no/such#NO-1",
      case: "no/such",
      requirement: "NO-1",
    };
    const data = reportData(reportOf([stranger]), sampleSuite);
    expect(data.checks).toMatchObject([{ area: "no", title: "", file: "", features: [] }]);
    expect(data.requirements).not.toHaveProperty("NO-1");
  });
  it("tells what is red beside the variants", () => {
    expect(reportData(hostileReport(), sampleSuite).problems).toHaveLength(2);
    const problems = [
      { file: "known.yaml", line: 3, message: "passes" },
      { file: "agent-loop.json", message: "not kept" },
    ];
    expect(reportData(reportOf([resultOf("pass", "x")], { problems }), sampleSuite).problems).toEqual([
      { name: "known.yaml:3", message: "passes" },
      { name: "agent-loop.json", message: "not kept" },
    ]);
    expect(reportData(reportOf([]), sampleSuite).problems).toEqual([
      { name: "not so: something is executed", message: "nothing was selected" },
    ]);
  });
  it("leaves out details beyond its bound, never the last of a check before the first of another", () => {
    const long = "x".repeat(1000);
    const results = ["a", "b"].flatMap((name) =>
      ["generic", "openai-chat/json"].map((variant) => ({
        ...resultOf("fail", long),
        check: `${name}#TOOL-9`,
        case: name,
        variant,
      })),
    );
    const data = reportData(reportOf(results), sampleSuite, 5000);
    expect(data.checks.map((check) => check.results.map(({ exchanges }) => exchanges !== undefined))).toEqual([
      [true, false],
      [true, false],
    ]);
    expect(data.checks[0]!.results.map(({ shortened }) => shortened)).toEqual([undefined, true]);
    expect(data.checks[0]!.results[1]!.failures).toHaveLength(1);
    expect(data.facts.at(-1)).toEqual(["wire and events", "of 2 of 4 variants; more would make the page too large"]);
    expect(reportData(reportOf(results), sampleSuite).facts.map(([name]) => name)).not.toContain("wire and events");
  });
});

describe("sideBySide", () => {
  it("puts what differs beside each other", () => {
    expect(sideBySide({ a: 1, b: 2, c: 3 }, { c: 3, b: "x", a: 1 })).toEqual([
      { same: ["{", '  "a": 1,'] },
      { expected: ['  "b": 2,'], received: ['  "b": "x",'] },
      { same: ['  "c": 3', "}"] },
    ]);
  });
  it("shows strings as they are, and what is missing", () => {
    expect(sideBySide("a\nb", undefined)).toEqual([{ expected: ["a", "b"], received: ["(nothing)"] }]);
  });
  it("shows a list in which one entry was looked for, one in a line", () => {
    expect(sideBySide("x", [{ a: 1 }, 2])).toEqual([{ expected: ["x"], received: ['{"a":1}', "2"] }]);
  });
});
