// What comes to light after a variant has its verdict: it counts, whatever that verdict was.

import { expect, it } from "vitest";
import type { VariantResult } from "../../../schemas/types.ts";
import { DriverCrash } from "../driver/errors.ts";
import { smallSuite } from "../testing/zoo.ts";
import { select } from "../suite/selection.ts";
import { VariantResults } from "./variant-results.ts";

const suite = await smallSuite();
const selected = select(suite.cases, { cases: ["text-1"] });

function results(reported: VariantResult[] = []): VariantResults {
  const { requirements } = suite.catalogue;
  return new VariantResults({
    selected,
    requirements,
    repro: () => "again",
    onResult: (result) => reported.push(result),
  });
}

it("fails a variant after which the driver died, although nothing could be seen of it", () => {
  const reported: VariantResult[] = [];
  const kept = results(reported);
  kept.begin("r1", 0);
  kept.set(0, { verdict: "unsupported", reason: "the driver does not report session" });
  kept.lateMessage("r1", new DriverCrash("the driver exited with code 1"));
  const [result] = kept.finish();
  expect(result).toMatchObject({ verdict: "fail", failures: [{ code: "driver_crashed" }], repro: "again" });
  expect(result).not.toHaveProperty("reason");
  expect(reported.map(({ verdict }) => verdict)).toEqual(["unsupported", "fail"]);
});

it("leaves a variant alone that the kit itself failed", () => {
  const kept = results();
  kept.begin("r1", 0);
  kept.kitFailed(0, new Error("a mistake of the kit"));
  kept.lateMessage("r1", new DriverCrash("the driver exited with code 1"));
  expect(kept.finish()[0]).toMatchObject({ verdict: "harness-error" });
});

it("finds beside a variant, and does not fail it, that the driver died when it was asked to end [KIT-41]", () => {
  const kept = results();
  kept.begin("r1", 0);
  kept.set(0, { verdict: "pass" });
  kept.endedBadly("r1", "DRIVER-35", new DriverCrash("the driver exited with code 1"));
  expect(kept.finish()[0]).toMatchObject({
    verdict: "pass",
    findings: [{ requirement: "DRIVER-35", verdict: "broken" }],
    failures: [
      {
        code: "driver_crashed",
        requirement: "DRIVER-35",
        message: "when the driver was asked to end: the driver exited with code 1",
      },
    ],
  });
});
