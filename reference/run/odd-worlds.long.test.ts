// The search of odd-worlds.test.ts, larger. `npm run random` makes it longer still, and begins elsewhere.

import fc from "fast-check";
import { it } from "vitest";

import { isWhole } from "../../conformance/dev/whole.ts";
import { lies, oddWorld } from "../testing/odd-world.ts";

const RUNS = Number(process.env.ODD_RUNS ?? (isWhole ? 1500 : 500));
const SEED = Number(process.env.RANDOM_SEED ?? 1);

it(
  `tells nothing of a call that ran but what it did, in ${RUNS} worlds`,
  async () => {
    const honest = fc.asyncProperty(oddWorld, async (world) => {
      const found = await lies(world);
      if (found.length > 0) throw new Error(found.join("\n"));
    });
    await fc.assert(honest, { numRuns: RUNS, seed: SEED });
  },
  RUNS * 100,
);
