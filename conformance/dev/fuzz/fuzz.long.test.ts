// A bounded fuzz of every adapter; the long one is `npm run fuzz`.

import { expect, test } from "vitest";
import { fuzzInputs } from "./inputs.ts";
import { fuzz, providerNames } from "./run.ts";
import { isWhole } from "../whole.ts";

/** Of what there is in the whole form, so much is tried each time. */
const part = isWhole ? 1 : 0.3;

test.each(providerNames)("%s bears damaged streams", async (name) => {
  const { found, endings } = await fuzz(name, { runs: 300 * part, seed: 20260101 });
  expect(found.map(({ run, problem }) => `run ${run}: ${problem}`)).toEqual([]);
  expect(Object.keys(endings).length).toBeGreaterThan(4);
});

test("whole runs bear damaged schemas, rules and tool returns", async () => {
  const { found, endings } = await fuzzInputs({ runs: 2000 * part, seed: 20260101 });
  expect(found.map(({ run, problem, given }) => `run ${run}: ${problem} of ${given}`)).toEqual([]);
  expect(endings.completed).toBeGreaterThan(500 * part);
});
