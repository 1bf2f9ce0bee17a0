// A report is read as it was written, and what is not a whole report is refused with the reason.

import { describe, expect, it } from "vitest";
import { everyVerdict, hostileReport, reportOf, resultOf } from "../../reporters/testing/sample.ts";
import { ReportError, readReport, reportLines } from "./report-file.ts";
import { countRequirements } from "./requirement-verdicts.ts";
import type { VariantResult } from "../../../schemas/types.ts";
import { validate } from "../base/validate.ts";

const report = reportOf(everyVerdict.map((verdict) => resultOf(verdict, "x")));
const lines = reportLines(report).trimEnd().split("\n");

/** What is said of a text that is no report. */
function refusal(text: string): string {
  try {
    readReport(text, "r.jsonl");
  } catch (error) {
    expect(error).toBeInstanceOf(ReportError);
    return (error as Error).message;
  }
  throw new Error("it was read");
}

const changed = (at: number, change: (line: Record<string, Record<string, unknown>>) => void) =>
  lines.map((line, index) => {
    const value = JSON.parse(line) as Record<string, Record<string, unknown>>;
    if (index === at) change(value);
    return JSON.stringify(value);
  });

describe("a report", () => {
  it("is a header, a line for each variant in order, and a footer, each valid [REPORT-1]", () => {
    const values = lines.map((line) => JSON.parse(line) as Record<string, { variant?: string }>);
    expect(values.map((value) => Object.keys(value))).toEqual([
      ["header"],
      ...everyVerdict.map(() => ["result"]),
      ["footer"],
    ]);
    expect(values.slice(1, -1).map((value) => value["result"]!.variant)).toEqual(
      report.variants.map(({ variant }) => variant),
    );
    expect(values.flatMap((value) => validate("ReportLine", value))).toEqual([]);
  });
  it.each([report, hostileReport(), reportOf([]), reportOf([], { start_error: "x", shard: { index: 1, count: 2 } })])(
    "is read as it was written",
    (whole) => expect(readReport(reportLines(whole), "r.jsonl")).toEqual(JSON.parse(JSON.stringify(whole))),
  );
  it.each([
    [
      "without its footer",
      lines.slice(0, -1).join("\n"),
      /^r\.jsonl has no footer: the run .* did not end, .*run it again/,
    ],
    ["cut in its last line", lines.join("\n").slice(0, -9), /^r\.jsonl:10 has no footer: .* cut off/],
    ["of which only the header was written", lines[0]!, /^r\.jsonl has no footer/],
    ["that is empty", "\n", /^r\.jsonl is empty; a report is written by: npx agent-loop-spec test --reporter json/],
    ["without its header", lines.slice(1).join("\n"), /^r\.jsonl:1 is not the header/],
    [
      "of which a line was lost",
      lines.toSpliced(3, 1).join("\n"),
      /does not add up: its footer counts 8 selected, its lines are 7/,
    ],
    [
      "that has a variant twice",
      lines.toSpliced(3, 1, lines[2]!).join("\n"),
      /:4 is about area\/one#TOOL-9 openai-chat\/fail again/,
    ],
    [
      "of which a verdict was changed",
      changed(2, (line) => (line["result"]!["verdict"] = "pass")).join("\n"),
      /its footer counts 1 pass, its lines are 2/,
    ],
    [
      "whose header counts other lines",
      changed(0, (line) => (line["header"]!["selected"] = 9)).join("\n"),
      /its header says 9, its lines are 8/,
    ],
    [
      "of another version",
      changed(0, (line) => (line["header"]!["report"] = 2)).join("\n"),
      /:1 is a report of version 2; this kit reads version 1/,
    ],
    [
      "in which something else stands",
      lines.toSpliced(2, 0, '{"type":"run_start"}').join("\n"),
      /:3 is no line of a report: \/type /,
    ],
    ["that is JSON over several lines", '{\n  "id": "s"\n}\n', /^\S+ is JSON, but no report/],
    ["in which something is no JSON", lines.toSpliced(2, 0, "oops").join("\n"), /:3 is not JSON/],
    [
      "behind another one",
      [...lines, ...lines].join("\n"),
      /:10 is a footer, but lines follow it; a file has one report/,
    ],
    ["with two headers", [lines[0], ...lines].join("\n"), /:2 is a second header/],
  ])("is refused %s [REPORT-2, REPORT-3]", (_, text, message) => expect(refusal(text)).toMatch(message));
});

it("writes what is kept by its ids, and reads it as the findings that it was", () => {
  const finding = (requirement: string, verdict: "kept" | "broken") => ({ requirement, verdict }) as const;
  const findings = [
    finding("TOOL-9", "kept"),
    finding("LOOP-4", "broken"),
    finding("LOOP-1", "kept"),
    finding("LOOP-2", "kept"),
  ];
  const whole = reportOf([{ ...resultOf("pass", "x"), findings }]);
  const text = reportLines({ ...whole, requirements: countRequirements(whole.variants) });
  const line = JSON.parse(text.split("\n")[1]!) as { result: VariantResult };
  expect([line.result.findings, line.result.kept]).toEqual([findings.slice(0, 2), ["LOOP-1", "LOOP-2"]]);
  expect(readReport(text, "x").variants).toEqual(whole.variants);
});
