// Keeps the mutants true: each fits the reference as it is, every requirement has one, and the published matrix has them all.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { sharedSuite } from "../../kit/testing/shared-suite.ts";
import type { Requirement } from "../generate-requirements.ts";
import { root } from "../schema-files.ts";
import { idleProblems, listProblems } from "./idle-cases.ts";
import { expectedRows, matrixFile, matrixText, needsMutant, rowsOf } from "./matrix.ts";
import { outlierListProblems, outlierProblems } from "./outliers.ts";
import { cannotApply, readMutants } from "./read-mutants.ts";
import type { Mutant } from "./read-mutants.ts";
import { plainCase } from "./try-mutant.ts";

const { requirements } = JSON.parse(readFileSync(join(root, "spec/requirements.json"), "utf8")) as {
  requirements: Requirement[];
};
const suite = await sharedSuite();
const { mutants, none, idle, outliers } = readMutants(root);
const tested = new Set(suite.cases.map(({ case: { requires } }) => requires[0]!));

describe("the mutants of the reference", () => {
  test("are at least 120", () => {
    expect(mutants.length).toBeGreaterThanOrEqual(120);
  });

  test("break requirements whose actor is an implementation, and that a case tests", () => {
    const known = new Set(requirements.filter(needsMutant).map(({ id }) => id));
    const wrong = mutants.filter(({ requirement }) => !known.has(requirement) || !tested.has(requirement));
    expect(wrong.map(({ id, requirement }) => `${id}: ${requirement}`)).toEqual([]);
  });

  test("leave no such requirement out, but those that none.yaml lists", () => {
    const covered = new Set([...mutants, ...none].map(({ requirement }) => requirement));
    const missing = requirements.filter((one) => needsMutant(one) && tested.has(one.id) && !covered.has(one.id));
    expect(missing.map(({ id, text }) => `${id} ${text}`)).toEqual([]);
  });

  test("are not excused where there is one, and never without a reason", () => {
    const broken = new Set(mutants.map(({ requirement }) => requirement));
    const known = new Set(requirements.map(({ id }) => id));
    const wrong = none.filter(
      ({ requirement, reason }) => broken.has(requirement) || !known.has(requirement) || !reason,
    );
    expect(wrong).toEqual([]);
  });

  test("are all in the matrix, and nothing else", () => {
    const matrix = existsSync(join(root, matrixFile)) ? readFileSync(join(root, matrixFile), "utf8") : "";
    expect(rowsOf(matrix), `${matrixFile} is stale; write it anew with: npm run mutants`).toEqual(
      expectedRows(requirements, mutants),
    );
  });

  test("have their plain case", () => {
    expect(suite.cases.some(({ id }) => id === plainCase)).toBe(true);
  });
});

describe("a case that kills nothing", () => {
  const ids = suite.cases.map(({ id }) => id);

  test("exists, and has one reason to stay", () => {
    expect(listProblems(ids, idle)).toEqual([]);
    expect(idle.filter(({ reason }) => !/^[A-Z].{20,}\.$/s.test(reason))).toEqual([]);
  });

  test("is a problem if it is not listed, is listed twice, or kills after all", () => {
    const reason = "Why.";
    const listed = [
      { case: "a/idle", reason },
      { case: "a/kills", reason },
    ];
    expect(idleProblems(["a/idle", "a/new"], ["a/idle", "a/new", "a/kills"], listed)).toEqual([
      expect.stringMatching(/^a\/new sees no fault of its requirement: /),
      expect.stringMatching(/^a\/kills in idle.yaml sees a fault/),
    ]);
    expect(idleProblems([], ["b/other"], listed)).toEqual([]);
    expect(listProblems(["a/idle"], [...listed, { case: "a/idle", reason }])).toEqual([
      expect.stringMatching(/^a\/kills in idle.yaml names no case/),
      expect.stringMatching(/^a\/idle is named twice/),
    ]);
  });
});

describe("a mutant that does not fit", () => {
  const mutant = (more: Partial<Mutant>): Mutant => {
    return {
      id: "a-fault",
      requirement: "LOOP-1",
      seen: "Something is wrong.",
      file: "f.ts",
      replace: "a",
      by: "b",
      ...more,
    };
  };

  test("is told with what to do", () => {
    expect(cannotApply(mutant({}), "xay")).toBeUndefined();
    expect(cannotApply(mutant({}), "xyz")).toMatch(/does not stand in f.ts; .* write the fault anew/);
    expect(cannotApply(mutant({}), "a\n\na")).toMatch(/more than once \(f.ts:1, f.ts:3\)/);
    expect(cannotApply(mutant({}), undefined)).toMatch(/there is no file f.ts/);
    expect(cannotApply(mutant({ by: "a" }), "xay")).toMatch(/nothing would change/);
  });

  const folder = mkdtempSync(join(tmpdir(), "mutants-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const problemsOf = (text: string): string => {
    mkdirSync(join(folder, "conformance/mutants"), { recursive: true });
    mkdirSync(join(folder, "reference"), { recursive: true });
    writeFileSync(join(folder, "reference/f.ts"), "const a = 1;\n");
    for (const name of ["schema.json", "none.yaml", "idle.yaml", "outliers.yaml"]) {
      writeFileSync(join(folder, "conformance/mutants", name), readFileSync(join(root, "conformance/mutants", name)));
    }
    writeFileSync(join(folder, "conformance/mutants/some.yaml"), text);
    try {
      readMutants(folder);
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };
  const entry = (more = "", id = "a-fault") =>
    `- id: ${id}\n  requirement: LOOP-1\n  seen: Something is wrong.\n  file: reference/f.ts\n${more || "  replace: a = 1\n  by: a = 2\n"}`;

  test("is told with file and line", () => {
    expect(problemsOf(entry())).toBe("");
    expect(problemsOf(entry("  replace: c = 1\n  by: c = 2\n"))).toMatch(
      /^conformance\/mutants\/some.yaml:5 a-fault: .* does not stand in reference\/f.ts/,
    );
    expect(problemsOf(entry() + entry())).toMatch(/some.yaml:7 a-fault is also the id of the mutant at .*some.yaml:1/);
    expect(problemsOf(entry("  replace: a = 1\n"))).toMatch(/some.yaml:1 \/0: must have required property 'by'/);
    expect(problemsOf("- id: [")).toMatch(/some.yaml:1 this is not valid YAML/);
  });
});

test("the matrix is the same for the same result, and has what the reader needs", () => {
  const mutant = { id: "a-fault", requirement: "LOOP-4", seen: "A | is wrong.", file: "f", replace: "a", by: "b" };
  const tried = [{ mutant, verdict: "killed" as const, killers: ["loop/one", "loop/two"], red: [], beside: [] }];
  const nothing = { none: [], idle: [], outliers: [] };
  const text = matrixText({ requirements, tried, ...nothing });
  expect(text).toContain("| LOOP-4 | `a-fault` | A \\| is wrong. | `loop/one`, `loop/two` |");
  expect(rowsOf(text)).toEqual(["LOOP-4 a-fault"]);
  expect(matrixText({ requirements, tried, ...nothing })).toBe(text);
});

describe("a mutant that breaks much", () => {
  const mutant = { id: "a-fault", requirement: "LOOP-4", seen: "It is wrong.", file: "f", replace: "a", by: "b" };
  const beside = ["LOOP-1", "LOOP-2", "LOOP-3", "LOOP-5", "LOOP-6", "LOOP-7"];
  const tried = { mutant, verdict: "killed" as const, killers: ["loop/one"], red: [], beside };
  const listed = [{ mutant: "a-fault", reason: "Everything | hangs on it." }];

  test("stands in the matrix with the others that are red beside it, and the reason", () => {
    const text = matrixText({ requirements, tried: [tried], none: [], idle: [], outliers: listed });
    expect(text).toContain("6 other requirements are found broken beside the named one in the median, and at most 6.");
    expect(text).toContain(`| \`a-fault\` | LOOP-4 | ${beside.join(", ")} | Everything \\| hangs on it. |`);
    expect(rowsOf(text)).toEqual(["LOOP-4 a-fault"]);
  });

  test("is a problem if nobody says why, and so is an explanation of one that breaks little", () => {
    expect(outlierProblems([tried], [])).toEqual([
      expect.stringMatching(/^a-fault breaks 6 requirements beside LOOP-4/),
    ]);
    expect(outlierProblems([tried], listed)).toEqual([]);
    expect(outlierProblems([{ ...tried, beside: beside.slice(1) }], listed)).toEqual([
      expect.stringMatching(/^a-fault in outliers.yaml breaks no more than 5 others any more \(5\)/),
    ]);
  });

  test("is listed once, by its name, with a reason", () => {
    const ids = mutants.map(({ id }) => id);
    expect(outlierListProblems(ids, outliers)).toEqual([]);
    expect(outliers.filter(({ reason }) => !/^[A-Z].{20,}\.$/s.test(reason))).toEqual([]);
    expect(outlierListProblems(["b-fault"], [...listed, ...listed])).toHaveLength(3);
  });
});
