// What a person reads of a failure: the sentence of the spec, the place, the difference, the wire, and the command to repeat it.

import { describe, expect, it } from "vitest";
import type { VariantResult } from "../kit/index.ts";
import { prettyReporter } from "./pretty.ts";
import { showDifference } from "./show-difference.ts";
import { partsOf } from "../kit/run/report-file.ts";
import { hostileReport, reportOf, resultOf, sampleSuite, written as writtenBy } from "./testing/sample.ts";

const base = { check: "area/one#TOOL-9", case: "area/one", requirement: "TOOL-9", duration_ms: 1 };
const failed: VariantResult = {
  ...base,
  variant: "generic",
  verdict: "fail",
  line: 12,
  repro: "npx agent-loop-spec test --driver x --case area/one --variant generic --seed 7",
  failures: [
    {
      code: "assertion",
      requirement: "TOOL-9",
      message: "expect.status: differs from the expected value",
      expected: "completed",
      received: "error",
    },
  ],
  exchanges: [{ request: { messages: [] }, response: { stop_reason: "end_turn" } }],
};

function written(variants: VariantResult[], color = false): string {
  return writtenBy(prettyReporter, reportOf(variants), { color });
}

describe("the pretty reporter", () => {
  it("shows everything that a failure needs [REPORT-14]", () => {
    const text = written([failed, { ...failed, variant: "openai-chat/json" }]);
    expect(text).toContain("x: 2 variants, seed 7");
    const what = "TOOL-9 essential, loses: expect.status: differs from the expected value";
    expect(text).toContain(`\nbroken ${what} area/one#TOOL-9 generic\n`);
    expect(text).toContain(`\n✗ ${what}\n  The run is lost.\n`);
    expect(text).toContain("TOOL-9 The loop MUST answer. spec/loop/tools.md:36");
    expect(text).toContain("broken in 2 variants of 1 case, such as area/one#TOOL-9 generic");
    expect(text).toContain("conformance/cases/area/one.yaml:12");
    expect(text).toMatch(/- completed\n +\+ error/);
    expect(text).toContain('→ {"messages":[]}');
    expect(text).toContain('← {"stop_reason":"end_turn"}');
    expect(text).toContain("again: npx agent-loop-spec test --driver x --case area/one --variant generic --seed 7");
    expect(text).toContain("1 requirement broken; 2 of 2 variants failed (1.2 s)");
  });
  it("shows before the first request too many the one whose answer led to it", () => {
    const exchanges = ["page", "first too many", "second too many"].map((text) => ({ request: text, response: text }));
    const unmatched = {
      code: "unmatched_request",
      message: "the model was called 2 times, but the case has only 1 answer",
      expected: 1,
      received: 2,
    } as const;
    const text = written([{ ...failed, failures: [unmatched], exchanges }]);
    expect(text).toMatch(/model request 1 of 3\n {2}→ "page"[^]*model request 2 of 3\n {2}→ "first too many"/);
    expect(text).not.toContain("second too many");
  });
  it("says what happened to the user first, then the error with which the run ended, then what differs", () => {
    const message = "delete_files was executed although the response that asked for it was cut off";
    const finding = { requirement: "TOOL-9", verdict: "broken", severity: "executes", message } as const;
    const text = written([{ ...failed, findings: [finding], error: { kind: "internal", message: "out of memory" } }]);
    const order = [`: ${message}`, "the run ended with error internal: out of memory", "assertion: expect.status"];
    expect(order.map((one) => text.indexOf(one, text.indexOf("✗")))).toEqual(
      order.map((one) => text.indexOf(one, text.indexOf("✗"))).toSorted((left, right) => left - right),
    );
    for (const one of order) expect(text).toContain(one);
  });
  it("shows what is broken in a variant that passes, worst severity first [REPORT-14, REPORT-15]", () => {
    const order = { requirement: "LOOP-4", verdict: "broken", message: "a tool was forgotten" } as const;
    const lost = { requirement: "TOOL-9", verdict: "broken", message: "the run ended" } as const;
    const text = written([{ ...base, variant: "generic", verdict: "pass", findings: [order, lost] }]);
    expect(text.indexOf("✗ TOOL-9")).toBeGreaterThan(0);
    expect(text.indexOf("✗ LOOP-4")).toBeGreaterThan(text.indexOf("✗ TOOL-9"));
    expect(text).toContain("2 requirements broken; 1 of 1 variant passed, each by what its own case tests");
    expect(text).not.toContain("none failed");
  });
  it("shows of a requirement the variant that broke it, and apart from it what passed unexpectedly", () => {
    const text = written([
      { ...base, variant: "generic", verdict: "unexpected-pass", reason: "listed in known.yaml:3: later" },
      { ...failed, variant: "openai-chat/json" },
    ]);
    expect(text).toContain("broken in 1 variant of 1 case, kept in 1, such as area/one#TOOL-9 openai-chat/json\n");
    expect(text).toMatch(/- completed\n +\+ error/);
    expect(text).toMatch(/^unexpected-pass area\/one#TOOL-9 generic {2}listed in known.yaml:3: later$/m);
  });
  it("counts what a file says and is not so", () => {
    const problem = { file: "known.yaml", line: 3, message: "area/one#TOOL-9 passes" };
    const passed = resultOf("pass", "x");
    const lastLine = (count: number) =>
      writtenBy(prettyReporter, reportOf([passed], { problems: Array.from({ length: count }, () => problem) }));
    expect(lastLine(1)).toMatch(/, 1 false claim in its files \(1\.2 s\)$/m);
    expect(lastLine(2)).toMatch(/, 2 false claims in its files \(1\.2 s\)$/m);
  });
  it("is quiet about what needs nobody's attention", () => {
    const text = written([
      { ...base, variant: "generic", verdict: "pass" },
      { ...base, variant: "openai-chat/json", verdict: "unsupported", reason: "x" },
    ]);
    expect(text.split("\n").filter((line) => line !== "")).toEqual([
      "x: 2 variants, seed 7",
      "           kept",
      "essential     1",
      "requirements: 1 kept",
      "variants: 1 pass, 1 unsupported",
      "1 requirement kept, none broken; 1 of 2 variants passed, none failed, 1 unsupported (1.2 s)",
    ]);
  });
  it("says once why variants were not run", () => {
    const missed: VariantResult = { ...base, variant: "generic", verdict: "not-run", reason: "it is gone" };
    expect(written([missed, missed])).toMatch(/^2 variants were not run: it is gone$/m);
    expect(written([missed, missed])).toContain("nothing was executed");
  });
  it("counts one variant as one", () => {
    const text = written([{ ...failed, verdict: "pass" }]);
    expect(text).toContain("x: 1 variant, seed 7");
    expect(text).toContain("1 of 1 variant passed, none failed");
    const missed: VariantResult = { ...base, variant: "generic", verdict: "not-run", reason: "it is gone" };
    expect(written([missed])).toMatch(/^1 variant was not run: it is gone$/m);
    expect(written([failed])).toContain("1 of 1 variant failed");
  });
  it("never calls nothing a success", () => {
    expect(written([{ ...base, variant: "generic", verdict: "unsupported", reason: "x" }])).toContain(
      "nothing was executed",
    );
  });
  it("says what is known to fail, what passed unexpectedly, and what was not run [REPORT-4]", () => {
    const known = { ...base, variant: "generic", verdict: "expected-fail", reason: "later" } as const;
    expect(written([{ ...base, variant: "x", verdict: "pass" }, known])).toMatch(
      /^0 requirements kept, 1 broken as listed; 1 of 2 variants passed, none failed, 1 failed as expected \(1\.2 s\)$/m,
    );
    const text = written([known, { ...known, verdict: "unexpected-pass" }, { ...known, verdict: "not-run" }]);
    expect(text).toMatch(/^unexpected-pass area\/one#TOOL-9 generic {2}later$/m);
    expect(text).toMatch(
      /^0 requirements kept, 1 broken as listed; no variant passed of 3, 1 failed as expected, 1 passed unexpectedly, 1 not run/m,
    );
  });
  it("counts in its last line what the driver does not declare", () => {
    const unsupported = { ...base, variant: "generic", verdict: "unsupported", reason: "no cancel" } as const;
    expect(written([{ ...base, variant: "x", verdict: "pass" }, unsupported])).toMatch(
      /^1 requirement kept, none broken; 1 of 2 variants passed, none failed, 1 unsupported \(1\.2 s\)$/m,
    );
  });
  it("tells of no variant that it passed unexpectedly before the end", () => {
    let text = "";
    const report = reportOf([{ ...resultOf("fail", "x"), reason: "listed in known.yaml:3, but as assertion" }]);
    const context = { write: (piece: string) => (text += piece), suite: sampleSuite, color: false };
    const reporter = prettyReporter(context);
    reporter.start?.(partsOf(report).header);
    reporter.result?.({ ...report.variants[0]!, verdict: "unexpected-pass", failures: undefined } as never);
    reporter.end(report);
    expect(text).not.toContain("unexpected-pass");
  });
  it("lets no text of a driver act on a terminal or on a CI runner [REPORT-12]", () => {
    const text = writtenBy(prettyReporter, hostileReport());
    // oxlint-disable-next-line no-control-regex -- they must not be there
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    expect(text).not.toMatch(/^\s*::/m);
    expect(text).not.toContain("##[");
  });
  it("colours only when asked", () => {
    expect(written([failed])).not.toContain("\u001b[");
    expect(written([failed], true)).toContain("\u001b[");
  });
});

describe("where no line is rewritten", () => {
  it("says how far it is when nothing was said of it for half a minute, with the split that is played", () => {
    let text = "";
    let time = 0;
    const report = reportOf([resultOf("pass", "x"), resultOf("pass", "y")]);
    const context = { write: (piece: string) => (text += piece), suite: sampleSuite, color: false, now: () => time };
    const reporter = prettyReporter(context);
    reporter.start?.(partsOf(report).header);
    reporter.result?.(report.variants[0]!);
    const before = text;
    const begun = { check: "area/one#TOOL-9", variant: "openai-chat/sse" };
    time = 29_999;
    reporter.begin?.({ ...begun, split: 3 });
    expect(text).toBe(before);
    time = 30_000;
    reporter.begin?.({ ...begun, split: 4 });
    reporter.begin?.({ ...begun, split: 5 });
    expect(text).toBe(`${before}1/2  0 failed  area/one#TOOL-9 openai-chat/sse, split 4\n`);
  });
});

describe("the live line", () => {
  /** What a terminal shows in the end of what was written: a carriage return goes back, and the code wipes the line. */
  const shown = (text: string) => text.split("\n").map((line) => line.split("\r\u001b[2K").at(-1));
  it("is one line, written again and again, and gone in the end", () => {
    let text = "";
    const report = reportOf([resultOf("pass", "x"), resultOf("fail", "x")]);
    const context = { write: (piece: string) => (text += piece), suite: sampleSuite, color: false, liveColumns: 60 };
    const reporter = prettyReporter(context);
    reporter.start?.(partsOf(report).header);
    reporter.begin?.({ check: "area/one#TOOL-9", variant: "generic" });
    expect(shown(text).at(-1)).toBe("0/2  0 failed  area/one#TOOL-9 generic");
    reporter.result?.(report.variants[0]!);
    expect(shown(text).at(-1)).toBe("1/2  0 failed  area/one#TOOL-9 generic");
    reporter.result?.(report.variants[1]!);
    expect(shown(text).slice(-2)).toEqual([
      "broken TOOL-9 essential, loses: expect.status: x area/one#TOOL-9 openai-chat/fail",
      "2/2  1 failed  area/one#TOOL-9 generic",
    ]);
    reporter.begin?.({ check: "y".repeat(100), variant: "generic" });
    expect(shown(text).at(-1)?.length).toBe(59);
    reporter.end(report);
    expect(shown(text).join("\n")).not.toMatch(/^\d\/2 {2}/m);
    const quiet = writtenBy(prettyReporter, report);
    expect(shown(text).join("\n")).toBe(quiet);
  });
  it("counts a variant once whose verdict changed", () => {
    let text = "";
    const context = { write: (piece: string) => (text += piece), suite: sampleSuite, color: false, liveColumns: 60 };
    const reporter = prettyReporter(context);
    reporter.start?.(partsOf(reportOf([resultOf("pass", "x")])).header);
    reporter.result?.({ ...resultOf("pass", "x"), variant: "generic" });
    reporter.result?.({ ...resultOf("fail", "x"), variant: "generic" });
    expect(shown(text).at(-1)).toBe("1/1  1 failed  ");
  });
});

describe("showDifference", () => {
  it("shows changed lines, and few of the others", () => {
    const long = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`k${String(index).padStart(2, "0")}`, index]),
    );
    expect(showDifference(long, { ...long, k10: "x" })).toEqual([
      "  … 9 unchanged lines",
      '    "k08": 8,',
      '    "k09": 9,',
      '-   "k10": 10,',
      '+   "k10": "x",',
      '    "k11": 11,',
      '    "k12": 12,',
      "  … 8 unchanged lines",
    ]);
  });
  it("does not mind the order of keys, and shows what is missing", () => {
    expect(showDifference({ a: 1, b: 2 }, { b: 2, a: 1 }).some((line) => /^[-+]/.test(line))).toBe(false);
    expect(showDifference("x", undefined)).toEqual(["- x", "+ (nothing)"]);
  });
  it("cuts what is too long", () => {
    expect(
      showDifference(
        "",
        Array.from({ length: 100 }, (_, index) => index),
      ).at(-1),
    ).toMatch(/… \d+ more lines/);
  });
  it("shows the entries of a list in which one was looked for, one per line", () => {
    expect(
      showDifference({ type: "warning" }, [
        { type: "run_start", seq: 0 },
        { type: "run_end", seq: 1 },
      ]),
    ).toEqual([
      "- {",
      '-   "type": "warning"',
      "- }",
      '+ {"type":"run_start","seq":0}',
      '+ {"type":"run_end","seq":1}',
    ]);
  });
});
