// Who is to blame for the death of a driver with several runs in flight: whoever dies alone, else the driver, else the kit.

import { expect, it } from "vitest";
import type { Failure, VariantResult } from "../../../schemas/types.ts";
import { DriverCrash, DriverTimeout, ProtocolError } from "../driver/errors.ts";
import { SharedDeaths } from "./shared-deaths.ts";

/** What is blamed, after two variants were in flight and one came to these failures alone. */
function blamed(error: Error, alone: Failure[]): unknown[] {
  const reports: unknown[] = [];
  const deaths = new SharedDeaths();
  for (const index of [4, 2]) deaths.add(error, index);
  deaths.blame({
    at: (index) =>
      ({ check: `case-${index}#LOOP-7`, variant: "generic", ...(index === 4 && { failures: alone }) }) as VariantResult,
    blame: (index, { code, requirement, message }) => reports.push([index, code, requirement, message]),
    kitFailed: (index, { message }) => reports.push([index, message]),
  });
  return reports;
}

const crash = new DriverCrash("the driver exited with code 7");

it("blames nobody else where a run dies alone, too [KIT-29]", () => {
  expect(blamed(crash, [{ code: "driver_crashed", message: "the driver exited with code 7" }])).toEqual([]);
});

it.each([
  ["died", "driver_crashed", crash],
  ["hung", "driver_timeout", new DriverTimeout("the run was silent")],
  ["broke the protocol", "protocol_error", new ProtocolError("this line is not JSON", "")],
])("is red where it %s, and in none of them alone, whatever else is wrong with them [KIT-29]", (_, code, death) => {
  const message = `${death.message}\n  ${code} while 2 runs were in flight, none of which fails so alone: case-2#LOOP-7 generic, case-4#LOOP-7 generic`;
  expect(blamed(death, [{ code: "assertion", message: "expected 1, got 2" }])).toEqual([
    [2, "crashed_beside_others", "DRIVER-27", message],
  ]);
});

it("reports that it was the kit where the kit failed", () => {
  expect(blamed(new TypeError("a mistake of the kit"), [])).toEqual([[2, "a mistake of the kit"]]);
});
