// A bounded fuzz of every adapter; the long one is `npm run fuzz`.

import { expect, test } from "vitest";
import { fuzzInputs } from "./inputs.ts";
import { fuzz, providerNames } from "./run.ts";

test.each(providerNames)("%s bears 300 damaged streams", async (name) => {
  const { found, endings } = await fuzz(name, { runs: 300, seed: 20260101 });
  expect(found.map(({ run, problem }) => `run ${run}: ${problem}`)).toEqual([]);
  expect(Object.keys(endings).length).toBeGreaterThan(4);
});

test("whole runs bear 2,000 damaged schemas, rules and tool returns", async () => {
  const { found, endings } = await fuzzInputs({ runs: 2000, seed: 20260101 });
  expect(found.map(({ run, problem, given }) => `run ${run}: ${problem} of ${given}`)).toEqual([]);
  expect(endings.completed).toBeGreaterThan(500);
});
