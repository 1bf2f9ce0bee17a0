// Keeps the list of real bugs true: what it names exists, and a bug and the cases that answer it name each other.

import { expect, test } from "vitest";
import { sharedSuite } from "../kit/testing/shared-suite.ts";

interface ListedBug {
  symptom: string;
  links: string[];
  settled?: string[];
  cases?: string[];
  none?: string;
}

const { bugs: read, cases, catalogue } = await sharedSuite();
const bugs = Object.entries(read) as unknown as [string, ListedBug][];
const bugsOf = new Map(
  cases.map(({ id, case: { why = [] } }) => [id, why.flatMap(({ bug }) => (bug === undefined ? [] : [bug]))]),
);

test("a bug has cases that answer it, or the reason why none does, and not both", () => {
  const wrong = bugs.filter(([, { cases: answers = [], none = "" }]) => answers.length > 0 === (none !== ""));
  expect(wrong.map(([name]) => name)).toEqual([]);
});

test("a bug has a symptom and says where it was seen, and nothing that nobody reads", () => {
  const known = ["symptom", "links", "settled", "cases", "none"];
  const wrong = bugs.filter(
    ([, bug]) => !bug.symptom || !(bug.links?.length > 0) || Object.keys(bug).some((key) => !known.includes(key)),
  );
  expect(wrong.map(([name]) => name)).toEqual([]);
});

test("every case that a bug lists exists, and names the bug", () => {
  const wrong = bugs.flatMap(([name, { cases: answers = [] }]) =>
    answers.filter((id) => !bugsOf.get(id)?.includes(name)).map((id) => `${name}: ${id}`),
  );
  expect(wrong).toEqual([]);
});

test("every case that names a bug is listed by it", () => {
  const wrong = [...bugsOf].flatMap(([id, named]) =>
    named.filter((name) => !(read[name] as unknown as ListedBug).cases?.includes(id)).map((name) => `${id}: ${name}`),
  );
  expect(wrong).toEqual([]);
});

test("every requirement that settles a bug exists", () => {
  const wrong = bugs.flatMap(([name, { settled = [] }]) =>
    settled.filter((id) => !catalogue.requirements.has(id)).map((id) => `${name}: ${id}`),
  );
  expect(wrong).toEqual([]);
});
