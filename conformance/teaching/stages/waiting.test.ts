// What a run up to a stage cannot certify yet is said to wait only for what later stages do examine.

import { expect, it } from "vitest";
import type { MissingVariant, ProfileCoverage } from "../../kit/run/coverage.ts";
import type { ExaminedStage } from "./stages.ts";
import { waitingProfiles } from "./waiting.ts";

const stageOf = (number: number, ...ids: string[]) =>
  ({
    stage: { number },
    selected: ids.map((id) => ({ entry: { id, case: { requires: ["X-1"] } }, variant: { name: "generic" } })),
  }) as unknown as ExaminedStage;
const divided = [stageOf(1, "a"), stageOf(2, "b"), stageOf(3, "c", "d")];

const missing = (id: string, verdict: MissingVariant["verdict"] = "not-selected"): MissingVariant => ({
  ...{ check: `${id}#X-1`, variant: "generic" },
  verdict,
});

/** A profile of which so many passed. */
const profileOf = (passed: number, ...without: MissingVariant[]) => {
  const counts = { required: passed + without.length, ran: passed, passed, known_failures: 0 };
  return { profile: "p", ...counts, certified: without.length === 0, missing: without } satisfies ProfileCoverage;
};

it("waits for the last stage that has something of it", () => {
  const waiting = waitingProfiles([profileOf(1, missing("b"), missing("c"))], divided);
  expect(waiting).toEqual([{ profile: "p", stage: 3 }]);
});

it.each([
  ["that is certified", profileOf(1)],
  ["of which nothing is there yet", profileOf(0, missing("b"))],
  ["of which something failed", profileOf(1, missing("a", "fail"), missing("c"))],
  ["of which the driver does not support something", profileOf(1, missing("c", "unsupported"))],
  ["of which no stage has the rest", profileOf(1, missing("b"), missing("elsewhere"))],
])("does not wait with a profile %s", (_, profile) => {
  expect(waitingProfiles([profile], divided)).toEqual([]);
});
