// A loop that grows as the pages say passes each stage when it comes to it, and none before.

import { describe, expect, it } from "vitest";
import { inProcess, loadSuite, runSuite } from "../../kit/index.ts";
import { scoreOf } from "./score.ts";
import { divide, findStage, readStages } from "./stages.ts";
import { growingLoop } from "./testing/growing-loop.ts";

const stages = readStages();
const last = findStage(stages, "events")!.number;

const suite = await loadSuite();
const divided = await divide(stages, suite);

describe.each(stages.slice(0, last).map(({ number, name }) => [number, name] as const))("at stage %i, %s", (number) => {
  it("everything so far is passed, and the next stage is not", async () => {
    const examined = divided.slice(0, Math.min(number + 1, last));
    const keys = new Set(
      examined.flatMap(({ selected }) => selected.map((one) => `${one.entry.id} ${one.variant.name}`)),
    );
    const { report } = await runSuite({
      driver: { name: "growing", argument: "growing", command: inProcess((kit) => growingLoop(kit, number)) },
      suite,
      only: ({ entry, variant }) => keys.has(`${entry.id} ${variant.name}`),
      knownFailures: null,
      seed: 1,
    });
    const { stages: scores } = scoreOf(report, examined);
    expect(scores.slice(0, number).flatMap(({ missing }) => missing ?? [])).toEqual([]);
    expect(scores[number]?.is_passed ?? false).toBe(false);
  });
});
