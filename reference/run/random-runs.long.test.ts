// Thousands of random runs: whatever the model, the tools, the network and the person do, and whenever, every invariant holds.
//
// `npm run random` makes it longer, and begins elsewhere. A failure prints the seed and the smallest scenario.

import fc from "fast-check";
import { beforeAll, describe, expect, it, vi } from "vitest";

import { breachesOf, breachesOfState } from "../testing/invariants.ts";
import { live, warmUp } from "../testing/live.ts";
import { isWhole } from "../../conformance/dev/whole.ts";
import { refusedBy } from "../testing/provider-rules.ts";
import { randomScenario } from "../testing/random-scenario.ts";
import type { Scenario } from "../testing/scenario.ts";

vi.mock("../core/agent-loop.ts", async (original) => {
  const { watchable } = await import("../testing/record-states.ts");
  return watchable(await original());
});

const RUNS = Number(process.env.RANDOM_RUNS ?? (isWhole ? 3000 : 1000));
const SEED = Number(process.env.RANDOM_SEED ?? 1);
const PARTS = 10;
/** Of so many lives one is held against the rules of the three providers. */
const SAMPLE = 20;

async function wrongWith(scenario: Scenario): Promise<string[]> {
  const states: string[] = [];
  const life = await live(scenario, {
    // A resume that is refused leaves the session as open as it was.
    state: (state, kind) => kind !== "refused" && void states.push(...breachesOfState(state)),
  });
  const isOfSample = JSON.stringify(scenario).length % SAMPLE === 0;
  const closed = life.segments.filter(({ kind, result }) => kind !== "refused" && result.status !== "suspended");
  const possible = closed.filter(({ result }) => result.error?.kind !== "invalid_session");
  const refused = isOfSample ? possible.flatMap(({ session }) => refusedBy(session, life.world.tools)) : [];
  return [...states, ...breachesOf(life), ...refused];
}

describe(`${RUNS} random runs`, () => {
  beforeAll(warmUp);

  it.each(Array.from({ length: PARTS }, (_, part) => SEED + part))(
    "hold every invariant, with seed %i",
    async (seed) => {
      await fc.assert(
        fc.asyncProperty(randomScenario, async (scenario) => {
          expect(await wrongWith(scenario)).toEqual([]);
        }),
        { numRuns: Math.ceil(RUNS / PARTS), seed, plugins: [fc.unbiased()] },
      );
    },
    RUNS * 100,
  );
});
