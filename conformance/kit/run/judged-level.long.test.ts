// A run at a level plays each case that names a requirement of it, and blames nothing beyond it.

import { beforeAll, describe, expect, it } from "vitest";
import type { VariantResult } from "../../../schemas/types.ts";
import type { Suite } from "../suite/types.ts";
import { runAgainst, smallSuite } from "../testing/zoo.ts";
import { coverageOf } from "./coverage.ts";
import { exitCodeOf } from "./verdicts.ts";
import type { SuiteRun } from "./types.ts";

/** The culprit tests the order of results, which is core, and names the pairing, which is essential. */
let suite: Suite;
beforeAll(async () => {
  const { cases, ...others } = await smallSuite();
  suite = {
    ...others,
    cases: cases.map((one) => {
      const requires = one.id === "culprit" ? ["SESSION-7", "SESSION-6"] : ["LOOP-1"];
      return { ...one, case: { ...one.case, requires } };
    }),
  };
  const levels = ["SESSION-7", "SESSION-6"].map((id) => suite.catalogue.requirements.get(id)?.level);
  expect(levels).toEqual(["core", "essential"]);
});

async function played(behaviour: string): Promise<{ run: SuiteRun; culprit: VariantResult }> {
  const run = await runAgainst(behaviour, { suite, level: "essential" });
  return { run, culprit: run.report.variants.find((one) => one.case === "culprit")! };
}

describe.concurrent("at the level essential, a case of something that is core", () => {
  it("tests the first essential requirement that it names [KIT-25]", async () => {
    const { run, culprit } = await played("good");
    expect(culprit).toMatchObject({ check: "culprit#SESSION-7", requirement: "SESSION-6", verdict: "pass" });
    expect(exitCodeOf(run)).toBe(0);
  });
  it("fails where that one is broken [KIT-25]", async () => {
    const { run, culprit } = await played("drops a result");
    expect(culprit.verdict).toBe("fail");
    expect(culprit.findings?.[0]).toMatchObject({ requirement: "SESSION-6", verdict: "broken" });
    expect(exitCodeOf(run)).toBe(1);
  });
  it("blames nothing where only what is core is broken [KIT-25]", async () => {
    const { run, culprit } = await played("swaps results");
    expect(culprit.verdict).toBe("pass");
    expect(culprit.findings).toContainEqual({ requirement: "SESSION-6", verdict: "kept" });
    expect([run.report.requirements?.broken, exitCodeOf(run)]).toEqual([0, 0]);
  });
  it("accuses nobody who refuses it", async () => {
    const { run, culprit } = await played("driver error");
    expect(culprit).toMatchObject({
      verdict: "unsupported",
      reason: expect.stringContaining("was refused") as unknown,
    });
    expect(exitCodeOf(run)).toBe(0);
  });
  it("is red for a driver that dies of it", async () => {
    const { run, culprit } = await played("exits mid-case");
    expect(culprit.verdict).toBe("fail");
    expect(exitCodeOf(run)).toBe(1);
  });
});

describe.concurrent("a breach of what is core", () => {
  it.each([
    ["essential", 0],
    ["core", 1],
    ["portable", 1],
  ] as const)("at the level %s breaks %i requirements [KIT-25]", async (level, broken) => {
    const { report } = await runAgainst("swaps results", { suite, level });
    expect(report.requirements?.broken).toBe(broken);
    expect(exitCodeOf({ report })).toBe(broken);
  });
});

describe.concurrent("a breach of what is essential", () => {
  it.each(["essential", "core", "portable"] as const)("is judged at the level %s, too [KIT-25]", async (level) => {
    const { report } = await runAgainst("drops a result", { suite, level });
    const broken = report.variants.flatMap(({ findings = [] }) =>
      findings.filter(({ verdict }) => verdict === "broken"),
    );
    expect(broken.map(({ requirement }) => requirement)).toContain("SESSION-6");
  });
});

it("a run of everything that fails in what is core alone proves the profile essential, and not the profile core", async () => {
  const { report } = await runAgainst("swaps results", { suite, select: {} });
  const { profiles } = await coverageOf(
    { variants: report.variants, ...(report.implementation && { implementation: report.implementation }) },
    suite,
  );
  const missing = (name: string) => profiles.find(({ profile }) => profile === name)!.missing.map(({ check }) => check);
  expect(missing("essential")).not.toContain("culprit#SESSION-7");
  expect(missing("core")).toContain("culprit#SESSION-7");
});
