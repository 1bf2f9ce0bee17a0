// A list of known failures excuses exactly what it lists, and is red as soon as it no longer says what is so.

import { describe, expect, it } from "vitest";
import type { FailureCode, VariantResult } from "../../../schemas/types.ts";
import { besideList, staleEntries } from "./known-failures.ts";
import type { KnownFailureList, ListedFailure } from "./known-failures.ts";
import { updatedKnownFailures } from "./known-failures-update.ts";
import type { RunSuiteOptions } from "./types.ts";
import { runAgainst } from "../testing/zoo.ts";
import { exitCodeOf } from "./verdicts.ts";

const variant = (
  check: string,
  name: string,
  verdict: VariantResult["verdict"],
  code?: FailureCode,
): VariantResult => ({
  check,
  case: check.split("#")[0]!,
  requirement: check.split("#")[1]!,
  variant: name,
  verdict,
  duration_ms: 1,
  ...(code && { failures: [{ code, message: `It is ${code}.\nSecond line.` }] }),
  ...(verdict === "unsupported" && { reason: "the driver does not declare it" }),
});
const list = (...entries: Partial<ListedFailure>[]): KnownFailureList => ({
  file: "known.yaml",
  today: "2026-06-15",
  entries: entries.map((entry, index) => ({
    check: "a/one#TOOL-1",
    code: "assertion",
    reason: "It ends.",
    line: 3 + index,
    ...entry,
  })),
});
const failing = variant("a/one#TOOL-1", "generic", "fail", "assertion");
const passing = variant("a/one#TOOL-1", "openai-chat/sse", "pass");

describe("a result beside the list", () => {
  it("is expected if it fails as it is listed, and keeps what was wrong [KIT-9]", () => {
    expect(besideList(list({}), failing)).toEqual({ ...failing, verdict: "expected-fail", reason: "It ends." });
  });
  it("is unexpected if it passes [KIT-9]", () => {
    expect(besideList(list({}), passing)).toMatchObject({
      verdict: "unexpected-pass",
      reason: "listed in known.yaml:3: It ends.",
    });
  });
  it("fails if it fails otherwise, or the entry has expired [KIT-9]", () => {
    expect(besideList(list({ code: "stuck" }), failing)).toMatchObject({
      verdict: "fail",
      reason: "listed in known.yaml:3, but as stuck",
    });
    expect(besideList(list({ expires: "2026-06-14" }), failing).verdict).toBe("fail");
    expect(besideList(list({ expires: "2026-06-15" }), failing).verdict).toBe("expected-fail");
  });
  it("is expected, with all that it broke, if what was wrong is about another requirement than its case tests", () => {
    const broken = { requirement: "TOOL-20", verdict: "broken" } as const;
    const kept = { requirement: "TOOL-1", verdict: "kept" } as const;
    const beside = { ...failing, verdict: "pass" as const, findings: [kept, broken] };
    const { verdict, findings } = besideList(list({}), beside);
    expect(verdict).toBe("expected-fail");
    expect(findings).toEqual([kept, { ...broken, known: "It ends." }]);
    expect(updatedKnownFailures(undefined, list(), [beside])).toContain("requirement: TOOL-20");
  });
  it("is left alone where no entry names it, or it says nothing of the implementation", () => {
    expect(besideList(list({ variants: ["openai-chat/*"] }), failing)).toBe(failing);
    expect(besideList(list({ check: "a/on" }), failing)).toBe(failing);
    const unsupported = variant("a/one#TOOL-1", "generic", "unsupported");
    expect(besideList(list({}), unsupported)).toBe(unsupported);
  });
  it("belongs to the first entry that names it, also by a pattern", () => {
    const two = list({ check: "a/*", variants: ["gen*"], reason: "First." }, { reason: "Second." });
    expect(besideList(two, failing).reason).toBe("First.");
    expect(besideList(two, passing).reason).toContain("Second.");
  });
});

describe("an entry is stale", () => {
  const stale = (known: KnownFailureList, results: VariantResult[], isWhole = true) =>
    staleEntries(known, results, isWhole).map(({ line, message }) => `${line} ${message}`);
  it("not if everything is as it says", () => expect(stale(list({}), [failing])).toEqual([]));
  it("if a variant passes", () => {
    expect(stale(list({}), [failing, passing], false)).toEqual([
      "3 a/one#TOOL-1 is listed as failing, but passes on openai-chat/sse; remove the entry, or narrow its variants",
    ]);
  });
  it("if a variant fails with another code", () => {
    expect(stale(list({ code: "stuck" }), [failing], false)).toEqual([
      "3 a/one#TOOL-1 is listed as stuck, but fails with assertion on generic; look at it again",
    ]);
  });
  it("if it has expired, whatever happens [KIT-10]", () => {
    expect(stale(list({ expires: "2026-01-31" }), [], false)).toEqual([
      "3 a/one#TOOL-1 was listed until 2026-01-31; look at it again, then remove the entry or give it another date",
    ]);
  });
  it("if it names nothing, or nothing that was run, but only where everything was selected", () => {
    expect(stale(list({ check: "a/gone#TOOL-1" }), [failing])).toEqual([
      "3 a/gone#TOOL-1 names no variant of the suite; correct the name, or remove the entry",
    ]);
    expect(stale(list({ check: "a/*" }, {}), [failing])).toEqual([
      "4 a/one#TOOL-1 names only variants that the entry in line 3 names before it; remove one of them",
    ]);
    expect(stale(list({}), [variant("a/one#TOOL-1", "generic", "unsupported")])).toEqual([
      "3 a/one#TOOL-1 was not run on any variant that it names (the driver does not declare it); remove the entry",
    ]);
    expect(stale(list({ check: "a/gone#TOOL-1" }), [failing], false)).toEqual([]);
  });
});

describe("a shard", () => {
  const judged = (known: KnownFailureList, results: VariantResult[]) =>
    staleEntries(known, results, false, [failing, passing]).map(({ line, message }) => `${line} ${message}`);
  it("says what names nothing in all shards together, and nothing of what another one runs", () => {
    const other = list({ variants: ["openai-chat/sse"] }, { check: "a/gone#TOOL-1" });
    expect(judged(other, [failing])).toEqual([
      "4 a/gone#TOOL-1 names no variant of the suite; correct the name, or remove the entry",
    ]);
  });
});

describe("an update", () => {
  const text = `# Ours.
known_failures: 1
failures:
  - check: a/one#TOOL-1 # for now
    code: assertion
    reason: It ends.
    issue: https://example.com/1
  # about b
  - { check: "b/*", code: stuck, reason: Slow. }
  - check: c/gone#TOOL-3
    code: stuck
    reason: Fixed since.
`;
  const entries: Partial<ListedFailure>[] = [
    { issue: "https://example.com/1" },
    { check: "b/*", code: "stuck", reason: "Slow." },
    { check: "c/gone#TOOL-3", code: "stuck", reason: "Fixed since." },
  ];
  it("changes nothing where everything is as it says", () => {
    const results = [
      failing,
      variant("b/x#TOOL-2", "generic", "fail", "stuck"),
      variant("c/gone#TOOL-3", "generic", "fail", "stuck"),
    ];
    expect(updatedKnownFailures(text, list(...entries), results)).toBe(text);
  });
  it("narrows, keeps reasons, comments and order, takes away what passes, and adds what is new", () => {
    const results = [
      failing,
      passing,
      variant("b/x#TOOL-2", "generic", "fail", "stuck"),
      variant("b/y#TOOL-2", "generic", "fail", "assertion"),
      variant("b/z#TOOL-2", "generic", "pass"),
      variant("c/gone#TOOL-3", "generic", "pass"),
      variant("d/new#TOOL-4", "generic", "fail", "invariant"),
    ];
    expect(updatedKnownFailures(text, list(...entries), results)).toBe(`# Ours.
known_failures: 1
failures:
  - check: a/one#TOOL-1 # for now
    code: assertion
    reason: It ends.
    issue: https://example.com/1
    variants: [ generic ]
  # about b
  - { check: "b/x#TOOL-2", code: stuck, reason: Slow. }
  - check: b/y#TOOL-2
    code: assertion
    reason: Slow.
  - check: d/new#TOOL-4
    code: invariant
    reason: "Not looked into yet: It is invariant."
`);
  });
  it("leaves a file whose form is its own as it is, where nothing changed", () => {
    const own = "known_failures: 1\r\nfailures: [{check: a/one#TOOL-1, code: assertion,\r\n  reason: It   ends.}]\r\n";
    expect(updatedKnownFailures(own, list({}), [failing])).toBe(own);
  });
  it("keeps JSON what it is", () => {
    const [gone, entry] = [
      { check: "c/gone#TOOL-3", code: "stuck", reason: "Fixed since." },
      { check: "a/one#TOOL-1", code: "assertion", reason: "It ends." },
    ] as const;
    const json = (...failures: object[]) => `${JSON.stringify({ known_failures: 1, failures }, undefined, 2)}\n`;
    const results = [failing, variant("c/gone#TOOL-3", "generic", "pass")];
    expect(updatedKnownFailures(json(gone, entry), list(gone, entry), results)).toBe(json(entry));
    const packed = JSON.stringify({ known_failures: 1, failures: [entry] });
    expect(updatedKnownFailures(packed, list(entry), results)).toBe(packed);
  });
  it("begins a file", () => {
    const written = updatedKnownFailures(undefined, list(), [failing, passing]);
    expect(written).toMatch(/^# What this implementation is known to fail/);
    expect(written).toContain("  - requirement: TOOL-1\n    cases:\n      - a/one\n    reason:");
  });
});

describe.concurrent("a run with a list", () => {
  const known = (...entries: Partial<ListedFailure>[]): Partial<RunSuiteOptions> => ({
    select: {},
    knownFailures: list(...entries),
  });
  const stuck = { check: "overlap#TOOL-19", code: "stuck" as const };
  it("is green if everything fails as it is listed", async () => {
    const run = await runAgainst("swaps results", known({ check: "culprit#SESSION-7", code: "invariant" }, stuck));
    expect(run.report.totals).toMatchObject({ "expected-fail": 2, fail: 0 });
    expect(run.report.problems).toBeUndefined();
    expect(exitCodeOf(run)).toBe(0);
  });
  it("is red, with the place, if one passes or fails otherwise, and tells so at once [KIT-10]", async () => {
    const verdicts: string[] = [];
    const run = await runAgainst("good", {
      ...known({ check: "text-1#*", line: 8 }, { ...stuck, code: "assertion", line: 12 }),
      onResult: ({ check, verdict }) => verdicts.push(`${check} ${verdict}`),
    });
    expect(verdicts).toContain("text-1#LOOP-7 unexpected-pass");
    expect(run.report.totals).toMatchObject({ "unexpected-pass": 1, fail: 1 });
    expect(run.report.problems?.map(({ file, line }) => `${file}:${line}`)).toEqual(["known.yaml:8", "known.yaml:12"]);
    expect(exitCodeOf(run)).toBe(1);
  });
  it("is red for a name that nothing has, but only where everything was selected [KIT-10]", async () => {
    const gone = { check: "text-9#LOOP-7" };
    expect(exitCodeOf(await runAgainst("good", known(stuck, gone)))).toBe(1);
    const part = await runAgainst("good", { ...known(stuck, gone), select: { cases: ["text-"] } });
    expect([exitCodeOf(part), part.report.problems]).toEqual([0, undefined]);
    const shard = await runAgainst("good", { ...known(stuck, gone), shard: { index: 1, count: 2 } });
    expect(shard.report.problems).toMatchObject([{ line: 4, message: expect.stringMatching(/names no variant/) }]);
  });
  it("does not excuse a driver that dies after it has answered as listed", async () => {
    const run = await runAgainst("dies after the answer", known({ check: "culprit#*", code: "invariant" }));
    expect(run.report.totals["expected-fail"]).toBe(0);
    expect(exitCodeOf(run)).toBe(1);
  });
});
