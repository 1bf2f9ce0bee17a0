// Shards are dealt evenly and laid together again, and what is not all the shards of one run is refused.

import { describe, expect, it } from "vitest";
import type { Report } from "../index.ts";
import { select, shardOf } from "../suite/selection.ts";
import { loadSuite } from "../suite/suite.ts";
import { everyVerdict, reportOf, resultOf } from "../../reporters/testing/sample.ts";
import { mergeShards, unkeptProfiles } from "./report-merge.ts";

const results = everyVerdict.slice(0, 7).map((verdict) => resultOf(verdict, "x"));

/** The reports of n shards of one run. */
function shards(count: number): { file: string; report: Report }[] {
  return Array.from({ length: count }, (_, position) => {
    const shard = { index: position + 1, count };
    const variants = results.filter((_result, at) => at % count === position);
    return { file: `${position + 1}.jsonl`, report: reportOf(variants, { shard }) };
  });
}

const refusal = (list: { file: string; report: Report }[]) => {
  try {
    mergeShards(list);
  } catch (error) {
    return (error as Error).message;
  }
  return "merged";
};

describe("--shard", () => {
  it("puts each variant into exactly one part, and deals them evenly [REPORT-8]", async () => {
    const all = select((await loadSuite()).cases, {});
    for (const count of [1, 2, 3, 7, all.length + 2]) {
      const parts = Array.from({ length: count }, (_, position) => shardOf(all, { index: position + 1, count }));
      expect(new Set(parts.flat())).toEqual(new Set(all));
      expect(parts.flat().length).toBe(all.length);
      const sizes = parts.map((part) => part.length);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }
  });
  it("does so the same every time [REPORT-8]", async () => {
    const names = async () => {
      const part = shardOf(select((await loadSuite()).cases, {}), { index: 2, count: 3 });
      return part.map(({ entry, variant }) => `${entry.id} ${variant.name}`);
    };
    expect(await names()).toEqual(await names());
  });
});

describe("mergeShards", () => {
  it.each([1, 2, 3, 7, 9])("makes the report of the whole run of %i shards, in whatever order they come", (count) => {
    const { shard: _, ...whole } = reportOf(results);
    expect(mergeShards(shards(count))).toEqual(whole);
    expect(mergeShards(shards(count).toReversed())).toEqual(whole);
  });
  it("has no seed where the shards had several, and every repro keeps its own", () => {
    const [first, second] = shards(2);
    expect(mergeShards([first!, { ...second!, report: { ...second!.report, seed: 8 } }])).not.toHaveProperty("seed");
  });
  it("lasts from the first beginning to the last end", () => {
    const both = shards(2);
    both[1]!.report.started_at = "2026-01-02T03:04:15.678Z";
    const merged = mergeShards(both);
    expect(merged.started_at).toBe("2026-01-02T03:04:05.678Z");
    expect(merged.duration_ms).toBeCloseTo(11_234.5);
  });
  it("is red where one shard was: a driver that never started there is told", () => {
    const [first, second] = shards(2);
    const broken = { ...second!, report: { ...second!.report, start_error: "it exited" } };
    expect(mergeShards([first!, broken]).start_error).toBe("it exited");
  });
  it("refuses what is no shard", () => {
    expect(refusal([{ file: "a.jsonl", report: reportOf(results) }])).toMatch(
      /^a\.jsonl is no shard: it was made without --shard/,
    );
  });
  it("refuses a shard that is missing, and one that is there twice [REPORT-9]", () => {
    const [first, second, third] = shards(3);
    expect(refusal([first!, third!])).toBe("shard 2 of 3 is missing; give the reports of all 3 shards");
    expect(refusal([first!, second!, third!, { ...second!, file: "again.jsonl" }])).toBe(
      "2.jsonl and again.jsonl are both shard 2 of 3; give each once",
    );
  });
  it("refuses shards of other runs, and says what differs [REPORT-9]", () => {
    const [first, second] = shards(2);
    const other = (more: Partial<Report>) =>
      refusal([first!, { file: "b.jsonl", report: { ...second!.report, ...more } }]);
    const start = /^1\.jsonl and b\.jsonl are not shards of one run: /;
    expect(other({ spec: "2.0" })).toMatch(start);
    expect(other({ spec: "2.0" })).toContain('the spec is "1.0-draft" in the first and "2.0" in the second');
    expect(other({ kit: "9" })).toContain("the kit is");
    expect(other({ driver: "y" })).toContain("the driver is");
    expect(other({ suite: "0000" })).toContain("what was selected is");
    expect(other({ suite_version: "9.9" })).toContain("the suite is");
    expect(other({ shard: { index: 2, count: 3 } })).toContain("the first is one of 2, the second one of 3");
  });
  it("refuses shards that overlap [REPORT-9]", () => {
    const [first, second] = shards(2);
    const overlapping = { ...second!.report, variants: first!.report.variants };
    expect(refusal([first!, { file: "b.jsonl", report: overlapping }])).toMatch(
      /two of the shards have area\/one#TOOL-9 .*overlap/,
    );
  });
});

describe("a profile that the whole run has to keep", () => {
  const name = { name: "x", version: "1", language: "c" };
  const declared: Partial<Report> = {
    profiles: ["core", "corr"],
    implementation: { protocol: 1, implementation: name, seams: ["generic"] },
  };

  it("is a problem where its variants are not there or did not pass, whatever each shard said [KIT-13]", async () => {
    const passed = results.filter(({ verdict }) => verdict === "pass");
    const problems = await unkeptProfiles(reportOf(passed, declared), await loadSuite());
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^declares the profile corr, which does not exist; .*core/),
      expect.stringMatching(/^declares the profile core, but \d+ of its \d+ required variants did not pass/),
    ]);
  });
  it("is told once, and not where the run has not come to its end", async () => {
    const suite = await loadSuite();
    const first = await unkeptProfiles(reportOf([], declared), suite);
    expect(first).toHaveLength(2);
    expect(await unkeptProfiles(reportOf([], { ...declared, problems: first }), suite)).toEqual([]);
    const cut = results.filter(({ verdict }) => verdict === "not-run");
    expect(await unkeptProfiles(reportOf(cut, declared), suite)).toEqual([]);
  });
});
