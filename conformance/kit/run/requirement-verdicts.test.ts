// A requirement has one verdict for a whole run: the worst that was found, and the counts add up.

import { expect, it } from "vitest";
import type { Finding, VariantResult } from "../../../schemas/types.ts";
import { countRequirements, requirementVerdicts } from "./requirement-verdicts.ts";

const result = (id: string, verdict: VariantResult["verdict"], findings?: Finding[]): VariantResult => ({
  ...{ check: `${id}#LOOP-1`, case: id, requirement: "LOOP-1", variant: "generic", verdict, duration_ms: 1 },
  ...(findings && { findings }),
});
const broken = (requirement: string, known?: string): Finding => ({
  ...{ requirement, verdict: "broken" },
  ...(known !== undefined && { known }),
});

it("is the worst of its findings, whichever case showed it [REPORT-13]", () => {
  const judged = requirementVerdicts([
    result("a", "pass", [{ requirement: "LOOP-1", verdict: "kept" }, broken("TOOL-20")]),
    result("b", "pass", [
      { requirement: "LOOP-1", verdict: "kept" },
      { requirement: "TOOL-20", verdict: "kept" },
      broken("RESULT-4", "listed"),
    ]),
    result("c", "unsupported", [{ requirement: "LOOP-1", verdict: "not_seen", reason: "x" }]),
  ]);
  expect(judged.map(({ id, outcome, counts }) => [id, outcome, counts])).toEqual([
    ["LOOP-1", "kept", { kept: 2, not_seen: 1 }],
    ["TOOL-20", "broken", { broken: 1, kept: 1 }],
    ["RESULT-4", "known", { known: 1 }],
  ]);
});

it("is shown best by a case that tests it", () => {
  const [one] = requirementVerdicts([
    { ...result("other", "pass", [broken("LOOP-1")]), requirement: "LOOP-2" },
    result("own", "fail", [broken("LOOP-1")]),
  ]);
  expect(one?.broken.map((example) => example.result.case)).toEqual(["own", "other"]);
});

it("is known of a variant without findings by its verdict", () => {
  const outcomeOf = (verdict: VariantResult["verdict"]) => requirementVerdicts([result("a", verdict)])[0]?.outcome;
  expect(outcomeOf("pass")).toBe("kept");
  expect(outcomeOf("fail")).toBe("broken");
  expect(outcomeOf("expected-fail")).toBe("known");
  expect(outcomeOf("not-applicable")).toBe("not_applicable");
  expect(outcomeOf("not-run")).toBe("not_seen");
});

it("adds up [REPORT-13]", () => {
  const { selected, ...others } = countRequirements([
    result("a", "pass", [{ requirement: "LOOP-1", verdict: "kept" }, broken("TOOL-20"), broken("TOOL-21", "listed")]),
  ]);
  expect(selected).toBe(3);
  expect(Object.values(others).reduce((sum, count) => sum + count, 0)).toBe(selected);
});
