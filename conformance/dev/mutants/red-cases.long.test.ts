// Shows that the kit still says of planted faults what the quiz shows.

import { afterAll, expect, test } from "vitest";
import { loadSuite } from "../../kit/suite/suite.ts";
import { readRedCases, redCaseOf } from "../../teaching/quiz/red-cases.ts";
import { root } from "../schema-files.ts";
import { readMutants } from "./read-mutants.ts";
import { copyReference } from "./reference-copy.ts";
import { tryMutant } from "./try-mutant.ts";

const ids = ["executes-calls-of-a-full-window", "starts-tools-after-a-cancel"];
const { mutants } = readMutants(root, ({ id }) => ids.includes(id));
const redCases = readRedCases(mutants);
const suite = await loadSuite();
const copy = copyReference(root);
afterAll(() => copy.remove());

test.each(ids)("%s is seen as the quiz shows it", async (id) => {
  const mutant = mutants.find((one) => one.id === id)!;
  const { red } = await copy.broken(mutant, () => tryMutant(mutant, copy.driver, suite));
  expect(redCaseOf(mutant, red), `stale; write it anew with: npm run mutants -- --only ${id}`).toEqual(redCases[id]);
});
