// A list that names requirements excuses what is broken as listed, and nothing beside it.

import { describe, expect, it } from "vitest";
import type { Finding, KnownBreach, VariantResult } from "../../../schemas/types.ts";
import { besideList, staleEntries } from "./known-failures.ts";
import type { KnownFailureList } from "./known-failures.ts";
import { migratedKnownFailures } from "./known-failures-migrate.ts";
import { updatedKnownFailures } from "./known-failures-update.ts";
import { countRequirements } from "./requirement-verdicts.ts";
import { runAgainst } from "../testing/zoo.ts";
import { exitCodeOf } from "./verdicts.ts";

const broken = (requirement: string): Finding => ({ requirement, verdict: "broken", message: "it was lost" });
const kept = (requirement: string): Finding => ({ requirement, verdict: "kept" });

/** What a variant of the case `a/<name>`, which tests TOOL-1, shows. */
function shown(name: string, variant: string, ...findings: Finding[]): VariantResult {
  const isRed = findings.some((one) => one.requirement === "TOOL-1" && one.verdict === "broken");
  return {
    check: `a/${name}#TOOL-1`,
    case: `a/${name}`,
    requirement: "TOOL-1",
    variant,
    verdict: isRed ? "fail" : "pass",
    findings,
    duration_ms: 1,
    ...(findings.some(({ verdict }) => verdict === "broken") && {
      failures: [{ code: "assertion", message: "it was lost" }],
    }),
  };
}

const list = (...requirements: Partial<KnownBreach>[]): KnownFailureList => ({
  file: "known.yaml",
  today: "2026-06-15",
  entries: [],
  requirements: requirements.map((entry, at) => ({
    requirement: "TOOL-1",
    reason: "It ends.",
    line: 3 + at,
    ...entry,
  })),
});
const red = shown("one", "generic", broken("TOOL-1"), broken("LOOP-1"));
const green = shown("one", "openai-chat/sse", kept("TOOL-1"));

describe("a result beside the list", () => {
  it("is expected if what its case tests is listed, and excuses nothing else [KIT-31]", () => {
    const beside = besideList(list({}), red);
    expect(beside).toMatchObject({ verdict: "expected-fail", reason: "It ends." });
    expect(beside.findings).toEqual([{ ...broken("TOOL-1"), known: "It ends." }, broken("LOOP-1")]);
    expect(countRequirements([beside])).toMatchObject({ broken: 1, known: 1 });
  });
  it("stays red where only what is beside it is listed [KIT-31]", () => {
    const beside = besideList(list({ requirement: "LOOP-1" }), red);
    expect(beside).toMatchObject({ verdict: "fail" });
    expect(countRequirements([beside])).toMatchObject({ broken: 1, known: 1 });
  });
  it.each([
    ["in another case", { cases: ["b/*"] }],
    ["in another variant", { variants: ["openai-chat/*"] }],
    ["too long ago", { expires: "2026-06-14" }],
  ])("is not excused by an entry that holds %s [KIT-31]", (_, entry) => {
    expect(besideList(list(entry), red)).toMatchObject({ verdict: "fail", findings: red.findings });
  });
  it("is not excused where the driver died: that says nothing of a requirement [KIT-31]", () => {
    const died = { ...red, failures: [{ code: "driver_crashed" as const, message: "gone" }] };
    expect(besideList(list({}), died)).toEqual(died);
  });
});

describe("an entry is stale", () => {
  const stale = (results: VariantResult[], ...entries: Partial<KnownBreach>[]) =>
    staleEntries(list(...entries), results, true).map(({ line, message }) => `${line} ${message}`);
  it.each<[string, VariantResult[], Partial<KnownBreach>[], string[]]>([
    ["never, while it says what is so", [red, green], [{}, { requirement: "LOOP-1" }], []],
    ["if it is kept", [green], [{}], ["3 TOOL-1 is listed as broken, but is kept in 1 variant; remove the entry"]],
    [
      "if a name that it has is not needed",
      [red, green],
      [{ cases: ["a/one", "a/two"], variants: ["generic", "openai-chat/*"] }],
      [
        "3 TOOL-1 is listed as broken in a/two, but is not; take it out of the cases",
        "3 TOOL-1 is listed as broken on openai-chat/*, but is not; take it out of the variants",
      ],
    ],
    [
      "if another one says it before",
      [red],
      [{}, { cases: ["a/one"] }],
      ["4 TOOL-1 names only what the entry in line 3 names before it; remove one of them"],
    ],
    [
      "if it names nothing",
      [red],
      [{ requirement: "TOOL-1" }, { requirement: "TOOL-2", cases: ["b/*"] }],
      ["4 TOOL-2 names no variant of the suite; correct the entry, or remove it"],
    ],
    [
      "after its last day",
      [red],
      [{ expires: "2026-06-14" }],
      ["3 TOOL-1 was listed until 2026-06-14; look at it again, then remove the entry or give it another date"],
    ],
  ])("%s [KIT-32]", (_, results, entries, messages) => {
    expect(stale(results, ...entries)).toEqual(messages);
  });
  it("for a name that is not needed only where everything was selected [KIT-32]", () => {
    const part = (entry: Partial<KnownBreach>, results: VariantResult[]) => staleEntries(list(entry), results, false);
    expect(part({ requirement: "TOOL-2" }, [red])).toEqual([]);
    expect(part({ cases: ["a/one", "a/two"] }, [red])).toEqual([]);
    expect(part({}, [green])).toMatchObject([{ file: "known.yaml", line: 3 }]);
  });
  it("and that makes a run red in which nothing else is [KIT-32]", async () => {
    const known = (entry: Partial<KnownBreach>) => ({ select: {}, knownFailures: list(entry) });
    const { report } = await runAgainst("blocking", known({ requirement: "LOOP-7" }));
    expect(report.problems).toMatchObject([{ file: "known.yaml", line: 3 }]);
    expect([report.totals.fail, exitCodeOf({ report })]).toEqual([0, 1]);
  });
});

it("an update keeps what holds, narrows it, takes away what is kept, and adds what is new", () => {
  const text = `known_failures: 1
requirements:
  # about one
  - requirement: TOOL-1
    cases: [ a/one, a/two ]
    reason: It ends.
  - { requirement: TOOL-2, reason: Fixed since. }
`;
  const known = list({ cases: ["a/one", "a/two"] }, { requirement: "TOOL-2", reason: "Fixed since." });
  expect(updatedKnownFailures(text, known, [red, green, shown("two", "generic", kept("TOOL-1"))])).toBe(
    `known_failures: 1
requirements:
  # about one
  - requirement: TOOL-1
    cases: [ a/one ]
    reason: It ends.
  - requirement: LOOP-1
    cases:
      - a/one
    reason: "Not looked into yet: it was lost"
`,
  );
});

it("a migrated list says the same of requirements; crashes and what names nothing stay", () => {
  const text = `# Ours.
known_failures: 1
failures:
  # slow
  - { check: "a/*#TOOL-1", variants: [generic], code: assertion, reason: Later. }
  - { check: b/one#LOOP-1, code: driver_crashed, reason: It dies. }
  - { check: gone#LOOP-1, code: assertion, reason: Long ago. }
`;
  const entries = [
    { check: "a/*#TOOL-1", variants: ["generic"], code: "assertion", reason: "Later.", line: 5 },
    { check: "b/one#LOOP-1", code: "driver_crashed", reason: "It dies.", line: 6 },
    { check: "gone#LOOP-1", code: "assertion", reason: "Long ago.", line: 7 },
  ] as const;
  const checks = ["a/one#TOOL-1", "a/two#TOOL-1", "a/two#TOOL-2", "b/one#LOOP-1"];
  const migrated = migratedKnownFailures(
    text,
    { file: "known.yaml", today: "", entries: [...entries] } as never,
    checks,
  );
  expect(migrated.moved).toBe(1);
  expect(migrated.stay.map(({ why }) => why)).toEqual([
    "driver_crashed says nothing of a requirement",
    "it names no check of the suite",
  ]);
  expect(migrated.text).toBe(`# Ours.
known_failures: 1
failures:
  - { check: b/one#LOOP-1, code: driver_crashed, reason: It dies. }
  - { check: gone#LOOP-1, code: assertion, reason: Long ago. }
requirements:
  # slow
  - requirement: TOOL-1
    cases:
      - a/one
      - a/two
    variants:
      - generic
    reason: Later.
`);
});
