// What a person reads of a failure: the sentence of the spec, the place, the difference, the wire, and the command to repeat it.

import { describe, expect, it } from "vitest";
import type { Report, VariantResult } from "../kit/index.ts";
import { countVerdicts } from "../kit/index.ts";
import type { SuiteRun } from "../kit/index.ts";
import { packagePath } from "../kit/package-root.ts";
import { prettyReporter } from "./pretty.ts";
import { showDifference } from "./show-difference.ts";

const base = { check: "area/one#TOOL-9", case: "area/one", requirement: "TOOL-9", duration_ms: 1 };
const failed: VariantResult = {
  ...base,
  variant: "generic",
  verdict: "fail",
  line: 12,
  repro: "npx agent-loop test --driver x --case area/one --variant generic --seed 7",
  failures: [
    {
      code: "assertion",
      requirement: "TOOL-9",
      message: "expect.status: is another value",
      expected: "completed",
      received: "error",
    },
  ],
  exchanges: [{ request: { messages: [] }, response: { stop_reason: "end_turn" } }],
};

function written(variants: VariantResult[], color = false): string {
  let text = "";
  const requirement = { id: "TOOL-9", text: "The loop MUST answer.", file: "spec/tools.md", line: 36 };
  const catalogue = {
    requirements: new Map([["TOOL-9", requirement]]),
    features: new Map(),
    policies: new Map(),
    source: "",
  };
  const entry = {
    id: "area/one",
    file: packagePath("conformance/cases/area/one.yaml"),
    case: { title: "One is answered" } as never,
  };
  const reporter = prettyReporter({
    write: (piece) => (text += piece),
    suite: { cases: [entry], catalogue, bugs: {} },
    color,
  });
  const report: Report = {
    report: 1,
    kit: "0",
    spec: "1",
    seed: 7,
    totals: countVerdicts(variants),
    variants,
    duration_ms: 1234,
  };
  const driver: SuiteRun["driver"] = { name: "x", argument: "x", command: { argv: ["x"] } };
  reporter.start({ driver, seed: 7, selected: variants.length });
  for (const variant of variants) reporter.result(variant);
  reporter.end({ report, driver });
  return text;
}

describe("the pretty reporter", () => {
  it("shows everything that a failure needs", () => {
    const text = written([failed, { ...failed, variant: "openai-chat/json" }]);
    expect(text).toContain("x: 2 variants, seed 7");
    expect(text).toMatch(/^fail area\/one#TOOL-9 generic {2}assertion: expect.status: is another value$/m);
    expect(text).toContain("TOOL-9 The loop MUST answer. spec/tools.md:36");
    expect(text).toContain("conformance/cases/area/one.yaml:12");
    expect(text).toMatch(/- completed\n +\+ error/);
    expect(text).toContain('→ {"messages":[]}');
    expect(text).toContain('← {"stop_reason":"end_turn"}');
    expect(text).toContain("fails on openai-chat/json too");
    expect(text).toContain("again: npx agent-loop test --driver x --case area/one --variant generic --seed 7");
    expect(text).toContain("2 of 2 variants failed (1.2 s)");
  });
  it("is quiet about what needs nobody's attention", () => {
    const text = written([
      { ...base, variant: "generic", verdict: "pass" },
      { ...base, variant: "openai-chat/json", verdict: "unsupported", reason: "x" },
    ]);
    expect(text.split("\n").filter((line) => line !== "")).toEqual([
      "x: 2 variants, seed 7",
      "      pass  unsupported",
      "TOOL     1            1",
      "all      1            1",
      "1 of 2 variants passed, none failed (1.2 s)",
    ]);
  });
  it("says once why variants were not run", () => {
    const missed: VariantResult = { ...base, variant: "generic", verdict: "not-run", reason: "it is gone" };
    expect(written([missed, missed])).toMatch(/^2 variants were not run: it is gone$/m);
    expect(written([missed, missed])).toContain("nothing was executed");
  });
  it("never calls nothing a success", () => {
    expect(written([{ ...base, variant: "generic", verdict: "unsupported", reason: "x" }])).toContain(
      "nothing was executed",
    );
  });
  it("colours only when asked", () => {
    expect(written([failed])).not.toContain("\u001b[");
    expect(written([failed], true)).toContain("\u001b[");
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
