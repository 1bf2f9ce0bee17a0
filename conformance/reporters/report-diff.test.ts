// What became worse between two reports, what is fixed, what is new, and what is gone.

import { describe, expect, it } from "vitest";
import type { Finding } from "../../schemas/types.ts";
import type { Verdict } from "../kit/index.ts";
import { everyVerdict, reportOf, resultOf } from "./testing/sample.ts";
import { becameWorse, diffLines, diffReports } from "./report-diff.ts";

const one = (verdict: Verdict, variant = "generic") => ({ ...resultOf(verdict, "x"), variant });
const between = (before: Verdict, after: Verdict) => diffReports(reportOf([one(before)]), reportOf([one(after)]));

describe("diffReports", () => {
  const red: readonly Verdict[] = ["fail", "unexpected-pass", "not-run", "harness-error"];
  const pairs = everyVerdict.flatMap((before) => everyVerdict.map((after): [Verdict, Verdict] => [before, after]));
  it.each(pairs)("%s → %s [REPORT-10]", (before, after) => {
    const { worse, fixed, added, gone } = between(before, after);
    const wasLost = before === "pass" && after !== "pass";
    const nowFails = red.includes(after) && !red.includes(before);
    expect(worse.length).toBe(wasLost || nowFails ? 1 : 0);
    expect(fixed.length).toBe(before !== "pass" && after === "pass" ? 1 : 0);
    expect([added, gone]).toEqual([[], []]);
  });
  it("knows variants that came and went", () => {
    const { worse, added, gone } = diffReports(reportOf([one("fail", "a")]), reportOf([one("fail", "b")]));
    expect([worse.length, added[0]!.variant, gone[0]!.variant]).toEqual([0, "b", "a"]);
  });
  it("knows what became of a requirement, though no variant changed its verdict [REPORT-10]", () => {
    const passed = one("pass");
    const finding = { requirement: "TOOL-20", message: "two tools ran at once" } as const;
    const before = reportOf([{ ...passed, findings: [{ ...finding, verdict: "kept" }] }]);
    const after = reportOf([{ ...passed, findings: [{ ...finding, verdict: "broken" }] }]);
    const worse = diffReports(before, after);
    expect(becameWorse(worse)).toBe(true);
    expect([...diffLines(worse)]).toContain("  TOOL-20  kept → broken: two tools ran at once (worse)");
    const better = diffReports(after, before);
    expect(becameWorse(better)).toBe(false);
    expect([...diffLines(better)]).toContain("  TOOL-20  broken → kept");
  });
  it.each([
    ["kept", "not_seen"],
    ["kept", "known"],
    ["not_seen", "broken"],
    [undefined, "broken"],
  ] as const)("calls it worse that a requirement was %s, and is %s [REPORT-10]", (before, after) => {
    const beside = { requirement: "LOOP-4", verdict: "kept" } as const;
    const found = (outcome: typeof before | typeof after): Finding[] => {
      if (outcome === undefined) return [beside];
      if (outcome === "known") return [beside, { requirement: "TOOL-20", verdict: "broken", known: "Later." }];
      return [beside, { requirement: "TOOL-20", verdict: outcome }];
    };
    const report = (findings: Finding[]) => reportOf([{ ...one("pass"), findings }]);
    expect(becameWorse(diffReports(report(found(before)), report(found(after))))).toBe(true);
    expect(becameWorse(diffReports(report(found(after)), report(found(before))))).toBe(false);
  });
  it("says it", () => {
    const [lost, back] = [one("pass", "e"), one("unsupported", "e")];
    const before = reportOf([one("pass", "a"), one("fail", "b"), one("pass", "c"), lost], { driver: "old" });
    const after = reportOf([one("fail", "a"), one("pass", "b"), one("unsupported", "d"), back]);
    expect([...diffLines(diffReports(before, after))]).toEqual([
      "old: old, spec 1.0-draft, 2026-01-02T03:04:05.678Z: 1 requirement broken; 3 of 4 variants passed",
      "new: x, spec 1.0-draft, 2026-01-02T03:04:05.678Z: 1 requirement broken; 1 of 4 variants passed",
      "\nworse: 2",
      "  area/one#TOOL-9 a  pass → fail: assertion: expect.status: x",
      "  area/one#TOOL-9 e  pass → unsupported: because x",
      "\nfixed: 1",
      "  area/one#TOOL-9 b  fail → pass",
      "\nnew: 1",
      "  area/one#TOOL-9 d  unsupported",
      "\ngone: 1",
      "  area/one#TOOL-9 c  pass",
    ]);
    expect([...diffLines(diffReports(before, before))].at(-1)).toBe("nothing changed");
  });
});
