// Keeps the pages for teachers true: the faults and the cases of the exercises belong together, and the bugs are counted once.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { placeOf } from "../copy/ejected-files.ts";
import { sharedSuite } from "../kit/testing/shared-suite.ts";
import { exercises, killersOf } from "./exercises.ts";
import { countedMistakes, mistakeTable } from "./mistakes.ts";
import { readMutants } from "./mutants/read-mutants.ts";
import { root } from "./schema-files.ts";

const pages = ["teaching.md", "teaching-exercises.md", "teaching-mistakes.md"];
const read = (page: string) => readFileSync(join(root, "spec/kit", page), "utf8");
const maxLines = 50;
const maxColumns = 120;

const { bugs, cases, catalogue } = await sharedSuite();
const mutants = new Map(readMutants(root, () => false).mutants.map((mutant) => [mutant.id, mutant]));

describe("the exercises", () => {
  it("are twelve, and every one has a question and a solution", () => {
    const numbers = [...read("teaching-exercises.md").matchAll(/^(\d+)\. "/gm)].map(([, number]) => Number(number));
    expect(numbers).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
    expect(exercises().map(({ number }) => number)).toEqual(numbers);
  });
  it.each(exercises())("$number: the case finds the fault, as the kill matrix says", ({ fault, case: id }) => {
    expect([...mutants.keys()]).toContain(fault);
    expect(killersOf(fault)).toContain(id);
  });
  it.each(exercises())(
    "$number: a copy of the core has the place, and its driver runs the case",
    ({ fault, case: id }) => {
      expect(mutants.get(fault)!.file).toMatch(/^reference\/(core\/[\w-]+|state\/call-ids|state\/check-session)\.ts$/);
      expect(cases.find((entry) => entry.id === id)!.case.features).toBeUndefined();
    },
  );
  it("say where to look", () => {
    const [, where] = /^(Where to look[^]*?)\n\n/m.exec(read("teaching-exercises.md"))!;
    for (const file of new Set(exercises().map(({ fault }) => mutants.get(fault)!.file)))
      expect(where).toContain(`\`${placeOf(file)}\``);
  });
});

describe("the mistakes", () => {
  const counted = countedMistakes();
  it("have every bug that a case answers, once", () => {
    const answered = Object.entries(bugs).filter(([, bug]) => ((bug as { cases?: string[] }).cases ?? []).length > 0);
    expect(counted.flatMap((mistake) => mistake.bugs).sort()).toEqual(answered.map(([name]) => name).sort());
  });
  it("name requirements that exist, and each has more than one bug", () => {
    for (const { requirements, bugs: own } of counted) {
      for (const range of requirements) expect(rangeIsKnown(range), range).toBe(true);
      expect(catalogue.requirements.has(requirements[0]!.replace(/\.\..*/, ""))).toBe(true);
      expect(own.length).toBeGreaterThan(1);
    }
  });
  it("stand in the page as they are counted", () => {
    expect(read("teaching-mistakes.md")).toContain(mistakeTable());
  });
});

function rangeIsKnown(range: string): boolean {
  const [prefix, numbers] = range.split(/-(?=[\d*])/) as [string, string];
  if (numbers === "*") return catalogue.requirements.has(`${prefix}-1`);
  return numbers.split("..").every((number) => catalogue.requirements.has(`${prefix}-${number}`));
}

test.each(pages)("%s fits on two screens, tables aside in width", (page) => {
  const lines = read(page).trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(maxLines);
  expect(lines.filter((line) => line.length > maxColumns && !line.startsWith("|"))).toEqual([]);
});

test.each(pages)("%s names only cases and faults that there are", (page) => {
  const named = [...read(page).matchAll(/`([^`]+)`/g)].flatMap(
    ([, code]) => code!.match(/\b[a-z-]+\/[a-z0-9-]+\b(?!\.)/g) ?? [],
  );
  const areas = new Set(cases.map(({ id }) => id.split("/")[0]));
  const wrong = named.filter((id) => areas.has(id.split("/")[0]) && !cases.some((entry) => entry.id === id));
  expect(wrong).toEqual([]);
});

test("no sentence stands on two of the pages", () => {
  const sentences = pages.flatMap((page) => [
    ...new Set(
      read(page)
        .replaceAll(/\s+/g, " ")
        .match(/[A-Z][^.|?!]{30,}[.?!]/g) ?? [],
    ),
  ]);
  expect(sentences.filter((sentence, i) => sentences.indexOf(sentence) !== i)).toEqual([]);
});
