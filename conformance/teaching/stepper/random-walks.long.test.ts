// Hundreds of random runs: what is read of their events is what the core did, but for what a cancel leaves untold. `npm run random`
// makes it longer, and begins elsewhere.

import fc from "fast-check";
import { beforeAll, expect, it, vi } from "vitest";
import { warmUp } from "../../../reference/testing/live.ts";
import { randomScenario } from "../../../reference/testing/random-scenario.ts";
import { isWhole } from "../../dev/whole.ts";
import { compare } from "./testing/watched.ts";

vi.mock("../../../reference/core/agent-loop.ts", async (original) => {
  const { watchable } = await import("../../../reference/testing/record-states.ts");
  return watchable(await original());
});

const RUNS = Number(process.env["WALK_RUNS"] ?? (isWhole ? 1000 : 300));
const SEED = Number(process.env["RANDOM_SEED"] ?? 1);

beforeAll(warmUp);

it("are read as they were", { timeout: RUNS * 200 }, async () => {
  let compared = 0;
  const property = fc.asyncProperty(randomScenario, async (scenario) => {
    for (const { segment, watched, read } of await compare(scenario)) {
      // Whether it was heard in a turn, or right after it, stands in no event; where it led does.
      const isCancelled = segment.result.status === "cancelled";
      const [fromEvents, was] = isCancelled ? [read.slice(-1), watched.slice(-1)] : [read, watched];
      expect(fromEvents).toEqual(was);
      compared += isCancelled ? 0 : 1;
    }
  });
  await fc.assert(property, { numRuns: RUNS, seed: SEED });
  expect(compared).toBeGreaterThan(0.3 * RUNS);
});
